import type { Cassette } from '../cassette/cassette.ts'
import { encodeTexts } from '../cassette/encode.ts'
import { layOutLine } from '../text/printable.ts'
import { CassetteError } from '../errors.ts'
import { parseJson } from '../json/json-value.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { redactKnown } from '../secrets/redactor.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The most places that the error lists; it only counts the others. */
const MAX_SHOWN = 5

const WAY_ON = { imported: 'import it again', moved: 'record the test again: RECORD=1' }

/** Redacts the secrets that environment variables hold. */
export function withoutKnown<Value>(value: Value, env: Env): Value {
  const text = JSON.stringify(value)
  const redacted = redactKnown(text, env)
  return redacted === text ? value : (parseJson(redacted) as Value)
}

/**
 * Refuses a cassette that holds a credential, where it would be put in the place of another.
 *
 * @param name the name of the cassette for the user
 * @param done what would be done with it
 * @throws CassetteError `secret` with the places and the remedy.
 */
export async function refuseSecrets(
  cassette: Cassette,
  name: string,
  env: Env,
  done: 'imported' | 'moved',
): Promise<void> {
  const stored = encodeTexts(cassette)
  const { secrets, more } = findSecrets(stored, cassette.exchanges, env)
  const known = secrets.length === 0 && withoutKnown(stored, env) !== stored
  const [first] = secrets
  if (!first && !known) return
  const what = first ? `${first.rule} at ${first.pointer}` : 'a value of your environment'
  const shown = secrets
    .slice(0, MAX_SHOWN)
    .map(({ pointer, masked, rule }) => `  found  ${pointer}: ${masked}, by the rule ${rule}\n`)
  const left = secrets.length + more - shown.length
  throw new CassetteError(
    'secret',
    `${layOutLine(name)} holds what looks like a credential, so it is not ${done}: ${what}\n` +
      shown.join('') +
      (left > 0 ? `         and ${left} more\n` : '') +
      'If it is real, revoke it. Replace it by another text, or set the environment variable that it comes from. With a ' +
      `telling name, <REDACTED:ACME_API_KEY> is stored in its place. Then ${WAY_ON[done]}.`,
  )
}
