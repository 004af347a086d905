import type { Cassette } from '../cassette/cassette.ts'
import { loadLater } from '../real/load-later.ts'
import type { Redactions } from './rules/run-redactions.ts'

export type { Redactions }

/** What has placeholders of its own: an attempt, or a cassette that is made. */
export interface Redacting {
  redactions?: Redactions
  /** The credentials in prompts so far whose values can be guessed, by the names of their placeholders. */
  guessable?: Set<string>
  /** The cassette from before. */
  readonly held?: Cassette | undefined
}

/** Loads the rules of the user, and what knows placeholders: few tests have any. */
export const loadRedactions: () => typeof import('./rules/run-redactions.ts') = loadLater(
  './redactions.mjs',
  () => import('./rules/run-redactions.ts'),
)
