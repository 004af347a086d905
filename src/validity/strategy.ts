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
  /** The reason, as it follows the name of the strategy. It can quote the cassette: escape it before printing. */
  reason: string
  /** True where a new recording of the same prompts would be invalid too. */
  lasts?: true
}

/** One way to tell whether a recording is still valid. A new one is a file, and a line in `judge-validity.ts`. */
export interface Strategy {
  name: string
  /** Returns `undefined` where no option asks for this strategy. */
  judge(recording: RecordingFacts, options: ValidityOptions, now: Date): Opinion | undefined
}

/** An opinion with the name of its strategy. */
export interface ValidityVerdict extends Opinion {
  strategy: string
}
