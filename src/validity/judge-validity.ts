import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { RecordingFacts, RunStatistics } from '../config/why-invalid.ts'
import { STRATEGIES, type Opinion, type ValidityOptions } from './strategies.ts'

/** An opinion with the name of its strategy. */
export interface ValidityVerdict extends Opinion {
  strategy: string
}

/** Reads the facts that strategies judge from a cassette. */
export function factsOf(cassette: Cassette, runs?: RunStatistics): RecordingFacts {
  const { conversationId: test, timestamp, oldestAnswer, exchanges, invalid } = cassette
  const recorded = exchanges.filter(isRecorded)
  const models = recorded.flatMap(({ prompt: { metadata } }) =>
    typeof metadata.model === 'string' ? metadata.model : [],
  )
  return {
    test,
    ...(recorded.length > 0 ? { recorded: new Date(oldestAnswer ?? timestamp) } : {}),
    models: [...new Set(models)],
    ...(invalid ? { invalid } : {}),
    ...(runs ? { runs } : {}),
  }
}

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
