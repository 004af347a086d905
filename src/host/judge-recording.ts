import type { Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { judgeValidity, factsOf, type ValidityVerdict } from '../validity/judge-validity.ts'
import type { RunStatistics } from '../config/why-invalid.ts'
import { realTime } from './clock.ts'

/**
 * Asks every strategy whether a cassette is still valid, by the current time and the statistics of this machine.
 *
 * @param runsOf reads the statistics of earlier runs
 */
export function judgeRecording(
  cassette: Cassette,
  config: ResolvedConfig,
  runsOf: (since: string) => RunStatistics | undefined,
): ValidityVerdict[] {
  // Reading them takes time, and only these two options use them.
  const needsRuns = config.maxFailures !== undefined || config.whyInvalid !== undefined
  const runs = needsRuns ? runsOf(cassette.timestamp) : undefined
  return judgeValidity(factsOf(cassette, runs), config, realTime())
}
