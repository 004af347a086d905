import type { WrittenResponse } from '../cassette/format/cassette.ts'

/** An answer of a cassette as a model could have given it instead. */
export interface Mutant {
  /** The exchange whose answer it takes the place of. */
  exchange: string
  /** What went wrong, for people; tells the mutants of an exchange apart. */
  what: string
  response: WrittenResponse
}

/**
 * What a test makes of a mutant:
 * - `assertion`: the test failed by itself.
 * - `requests`: the application went on to ask something that is not recorded. Nobody knows what its test would have said.
 * - `survived`: neither. The test passes, or fails only because the application no longer asks what is recorded.
 */
export type Fate = 'assertion' | 'requests' | 'survived'
