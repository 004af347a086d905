import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { keyVariables } from '../../providers/key-variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The statuses by which a provider refuses a key. */
const REFUSALS = new Set([401, 403])

function keysOf(incoming: Incoming): readonly string[] {
  return keyVariables(incoming.wire.url, dialectFor(incoming).name)
}

/** The variable with the key that a provider refused, `the key` where that is unknown; `undefined` for another answer. */
export function refusedKey(
  incoming: Incoming,
  status: number,
  env: Environment = process.env,
): string | undefined {
  if (!REFUSALS.has(status)) return undefined
  const keys = keysOf(incoming)
  return keys.find((name) => env[name]) ?? keys[0] ?? 'the key'
}

/** The variables of which one has to be set to ask for what is recorded, where none is; empty otherwise. */
export function missingKeys(incoming: Incoming, env: Environment = process.env): readonly string[] {
  const keys = keysOf(incoming)
  return keys.some((name) => env[name]) ? [] : keys
}
