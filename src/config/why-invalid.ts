/** The facts about a recording from which {@link WhyInvalid} decides. */
export interface RecordingFacts {
  /** `<test file> > <suite> > <test>`. */
  test: string
  /** When its oldest answer was recorded; absent if a person wrote all answers. */
  recorded?: Date
  /** The models of its requests, each once. */
  models: string[]
  /** The mark of a person who called it invalid, if any. */
  invalid?: Invalidation
  /** The results of earlier runs on this machine, if known. */
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
  /** The last few failures with known reasons, the newest last. */
  lastFailures?: Array<{ at: string; reason: string }>
}

/** Returns why a recording is no longer valid, or `undefined` if it is. */
export type WhyInvalid = (recording: RecordingFacts) => string | undefined

/** True for any function. */
export function isWhyInvalid(value: unknown): value is WhyInvalid {
  return typeof value === 'function'
}
