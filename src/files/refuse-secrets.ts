import type { Cassette } from '../cassette/format/cassette.ts'
import { encodeExchanges } from '../cassette/format/encode-cassette.ts'
import { layOutLine } from '../diff/render/printable.ts'
import { CassetteError } from '../errors.ts'
import { parseJson } from '../json/json-value.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { redactKnown } from '../secrets/redactor.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The most places that the error lists; it only counts the others. */
const MAX_SHOWN = 5

/** Redacts the secrets that environment variables hold. */
export function withoutKnown<Value>(value: Value, env: Env): Value {
  const text = JSON.stringify(value)
  const redacted = redactKnown(text, env)
  return redacted === text ? value : (parseJson(redacted) as Value)
}

/**
 * Refuses an imported cassette that holds a credential.
 *
 * @param name the name of the cassette for the user
 * @throws CassetteError `secret` with the places and the remedy.
 */
export async function refuseSecrets(
  { exchanges }: Pick<Cassette, 'exchanges'>,
  name: string,
  env: Env,
): Promise<void> {
  const stored = encodeExchanges(exchanges)
  const { secrets, more } = await findSecrets(stored, exchanges)
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
    `${layOutLine(name)} holds what looks like a credential, so it is not imported: ${what}\n` +
      shown.join('') +
      (left > 0 ? `         and ${left} more\n` : '') +
      'If it is real, revoke it. Replace it by another text, or set the environment variable that it comes from. With a ' +
      'telling name, <REDACTED:ACME_API_KEY> is stored in its place. Then import it again.',
  )
}
