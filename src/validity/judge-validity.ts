import type { RecordingFacts } from '../config/why-invalid.ts'
import { age } from './age.ts'
import { custom } from './custom.ts'
import { failures } from './failures.ts'
import { mark } from './mark.ts'
import { models } from './models.ts'
import type { Strategy, ValidityOptions, ValidityVerdict } from './strategy.ts'

/** In the order of their verdicts. */
const STRATEGIES: readonly Strategy[] = [mark, age, failures, models, custom]

/**
 * Asks every strategy that an option names whether a recording is still valid. All give a verdict; one "no" makes the
 * recording invalid.
 *
 * @throws CassetteError `invalid-option` where a function of the user throws or returns no text.
 */
export function judgeValidity(
  recording: RecordingFacts,
  options: ValidityOptions,
  now: Date,
): ValidityVerdict[] {
  return STRATEGIES.flatMap(({ name, judge }) => {
    const opinion = judge(recording, options, now)
    return opinion ? [{ strategy: name, ...opinion }] : []
  })
}
