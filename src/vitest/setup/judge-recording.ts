import type { Cassette } from '../../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { judgeValidity } from '../../validity/judge-validity.ts'
import { factsOf } from '../../validity/recording-facts.ts'
import { readStatistics } from '../../validity/statistics.ts'
import type { ValidityVerdict } from '../../validity/strategy.ts'
import { realTime } from './clock.ts'

/**
 * Asks every strategy whether a cassette is still valid, now and by what is known on this machine.
 *
 * @param path of the cassette, relative to the root
 */
export function judgeRecording(
  cassette: Cassette,
  config: ResolvedConfig,
  root: string,
  path: string,
): ValidityVerdict[] {
  // Reading them takes time, and nobody else looks at them.
  const needsRuns = config.maxFailures !== undefined || config.whyInvalid !== undefined
  const runs = needsRuns ? readStatistics(root).runsOf(path, cassette.timestamp) : undefined
  return judgeValidity(factsOf(cassette, runs), config, realTime())
}
