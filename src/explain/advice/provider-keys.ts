import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { PROVIDERS } from '../../providers/catalogue.ts'
import { providerOf } from '../../providers/providers.ts'
import { isMcpAddress } from '../../wire/mcp-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The statuses by which a provider refuses a key. */
const REFUSALS = new Set([401, 403])

/** The variables that can hold the key of a request; empty where nobody knows. A gateway has those of its wire format. */
function keysOf(incoming: Incoming): readonly string[] {
  const { url } = incoming.wire
  if (isMcpAddress(url)) return []
  const dialect = dialectFor(incoming).name
  const speaks = Object.keys(PROVIDERS).find((name) => PROVIDERS[name]!.models?.speak.test(dialect))
  const provider = providerOf(new URL(url)) ?? speaks
  return (provider && PROVIDERS[provider]?.keys) || []
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
