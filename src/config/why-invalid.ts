/** What is known of a recording when it is asked whether it is still valid. */
export interface RecordingFacts {
  /** `<test file> > <suite> > <test>`. */
  test: string
  /** When its oldest answer was recorded; absent where a person wrote all of it. */
  recorded?: Date
  /** The models that were asked, each once. */
  models: string[]
  /** Who called it invalid said this; absent where nobody did. */
  invalid?: Invalidation
  /** What earlier runs on this machine made of it; absent where none is known. */
  runs?: RunStatistics
}

/** The mark of `vitest-cassette invalidate`. */
export interface Invalidation {
  reason: string
  /** ISO 8601. */
  since: string
}

/** How the runs of a test with one recording ended, on this machine. */
export interface RunStatistics {
  attempts: number
  failures: number
  /** Failures since it last passed. */
  failuresInARow: number
  /** ISO 8601. */
  lastUsed: string
  /** The last few failures, the newest last, as far as it is known why. */
  lastFailures?: Array<{ at: string; reason: string }>
}

/** Returns why a recording is no longer valid, or `undefined` where it is. */
export type WhyInvalid = (recording: RecordingFacts) => string | undefined

/** True for a function, whatever it says. */
export function isWhyInvalid(value: unknown): value is WhyInvalid {
  return typeof value === 'function'
}
