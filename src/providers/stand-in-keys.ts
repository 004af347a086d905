import { homedir } from '../real/os.ts'
import { join } from '../real/path.ts'
import { existsSync } from '../real/files.ts'
import { ACCOUNTS } from './tables/keys.ts'

/** The stand-in for a key that is not set. It authenticates nowhere, and explains itself in logs. */
export const STAND_IN_KEY = 'sk-replay-no-network'

/**
 * The stand-in for a variable that is not set; `undefined` if it has none.
 *
 * @param env the variables that are set
 * @param recorded whether the test that runs has a recording
 */
export function standInKey(
  name: string,
  env: Record<string, string | undefined>,
  recorded: () => boolean,
): string | undefined {
  const account = ACCOUNTS.get(name)
  if (!account) return undefined
  const { lend, unless = [], as = STAND_IN_KEY, shared } = account
  if (lend.some((other) => env[other] !== undefined)) return undefined
  if (unless.some((other) => env[other])) return undefined
  if (shared && (!recorded() || existsSync(join(homedir(), '.aws')))) return undefined
  return as
}

/** The variables that may get a stand-in. */
export const KEY_NAMES: readonly string[] = [...ACCOUNTS.keys()]

/** True for a variable that may get a stand-in. */
export function isKeyName(name: PropertyKey): name is string {
  return typeof name === 'string' && ACCOUNTS.has(name)
}

/**
 * The variables of a process without keys that are empty: CI sets a secret that a run may not read, such as that of a
 * fork, to the empty text.
 */
export function withoutEmptyKeys<Env extends Record<string, string | undefined>>(env: Env): Env {
  const set = Object.entries(env).filter(([name, value]) => value !== '' || !isKeyName(name))
  return Object.fromEntries(set) as Env
}

/** The stand-ins for another program, without those of shared accounts, as its need for them is unknown. */
export function standInKeys(env: Record<string, string | undefined>): Record<string, string> {
  const names = [...ACCOUNTS].flatMap(([name, { shared }]) => (shared ? [] : [name]))
  const lent = names.map((name) => [name, standInKey(name, env, () => true)] as const)
  return Object.fromEntries(
    lent.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== TWICE),
  )
}

/** @google/genai reads this key under another name too, and warns if it finds both. */
export const TWICE = 'GEMINI_API_KEY'
