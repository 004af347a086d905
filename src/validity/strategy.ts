import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { RecordingFacts } from '../config/why-invalid.ts'

/** The options that strategies look at. */
export type ValidityOptions = Pick<
  ResolvedConfig,
  'maxAge' | 'maxFailures' | 'retiredModels' | 'whyInvalid'
>

/** The verdict of one strategy on a recording. */
export interface Opinion {
  valid: boolean
  /** Why, as it goes on after the name of the strategy. It can quote the cassette: lay it out before it is printed. */
  reason: string
}

/** One way to tell whether a recording is still valid. A new one is a file, and a line in `judge-validity.ts`. */
export interface Strategy {
  name: string
  /** Says nothing where it was not asked for by an option. */
  judge(recording: RecordingFacts, options: ValidityOptions, now: Date): Opinion | undefined
}

/** An opinion with the name of who has it. */
export interface ValidityVerdict extends Opinion {
  strategy: string
}
