import type { RedactOption } from '../config/option-values.ts'
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

/** The names of the credentials that the user stores as they are. */
export function keptNames(redact: RedactOption): readonly string[] {
  return redact.length === 0 ? [] : loadRedactions().readRedactRules(redact).kept
}

/** Variables without those whose values are stored as they are, whatever their names are. */
export function withoutKept(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> {
  if (names.length === 0) return env
  const values = new Set(names.map((name) => env[name]))
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !names.includes(name) && !values.has(value)),
  )
}
