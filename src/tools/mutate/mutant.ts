import type { WrittenResponse } from '../../cassette/cassette.ts'

/** An answer that a model could have given in the place of a recorded one. */
export interface Mutant {
  /** The id of the exchange whose answer it replaces. */
  exchange: string
  /** Its mistake, for people. Unique among the mutants of an exchange. */
  what: string
  response: WrittenResponse
}

/** A mutant whose exchange is known from the context. */
export type Changed = Omit<Mutant, 'exchange'>

/**
 * The result of a test with a mutant:
 * - `assertion`: the test failed by itself.
 * - `requests`: the application sent a request that is not recorded, so the verdict of the test is unknown.
 * - `survived`: the test passed, or failed only because the application no longer sent a recorded request.
 */
export type Fate = 'assertion' | 'requests' | 'survived'
