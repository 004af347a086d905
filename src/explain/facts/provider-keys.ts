import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { KEY_REFUSALS, type Recording } from '../../engine/recording.ts'
import { keyVariables } from '../../providers/key-variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

function keysOf(incoming: Incoming): readonly string[] {
  return keyVariables(incoming.wire.url, dialectFor(incoming).name)
}

/** A key that a provider refused. */
export interface RefusedKey {
  /** The variable that holds it, or what is known of it instead. */
  name: string
  /** What to do about it. */
  advice: string
}

/** The key that a provider refused; `undefined` for another answer. */
export function refusedKey({
  incoming,
  response,
  sentKeys,
}: Pick<Recording, 'incoming' | 'response' | 'sentKeys'>): RefusedKey | undefined {
  if (!KEY_REFUSALS.has(response?.status ?? 0)) return undefined
  const known = keysOf(incoming)
  if (!sentKeys) {
    const set = known.length > 0 ? `Set ${known.join(' or ')}` : 'Give your client a key'
    return { name: 'a request without a key', advice: `${set}, and record again.` }
  }
  const name = sentKeys.find((one) => known.includes(one)) ?? sentKeys[0]
  return name === undefined
    ? {
        name: 'a key that no variable holds',
        advice:
          'Give your client a key that the provider accepts: this one is not from a variable.',
      }
    : { name, advice: 'Set a key that the provider takes; the environment wins over .env.' }
}

/** The variables of which one has to be set to ask for what is recorded, where none is; empty otherwise. */
export function missingKeys(incoming: Incoming, env: Environment = process.env): readonly string[] {
  const keys = keysOf(incoming)
  return keys.some((name) => env[name]) ? [] : keys
}
