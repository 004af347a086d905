import { encodeCassette } from '../../cassette/encode.ts'
import type { RedactRules } from '../../config/option-values.ts'
import { findSecrets, type FoundSecret, secretTexts } from '../../secrets/find-secrets.ts'
import type { MadeCassette, Making } from './make-cassette.ts'

/** How often what looks like a credential is replaced: what is left then begins in one text and ends in another. */
const ROUNDS = 3

/** The name of what only looks like a credential. */
export const CREDENTIAL = 'CREDENTIAL'

/**
 * Makes a cassette, and makes it again while something in it looks like a credential, with that replaced.
 *
 * @param make is given the rules of the user and, from the second time on, one for what was found
 */
export function withoutCredentials<Made extends Pick<MadeCassette, 'cassette'>>(
  { env, redact = [] }: Pick<Making, 'env' | 'redact'>,
  make: (rules: RedactRules) => Made,
): Made & { secret?: FoundSecret } {
  const known = new Set<string>()
  const found = {
    name: CREDENTIAL,
    match: (text: string) => [...known].filter((one) => text.includes(one)),
    isNumbered: false,
  }
  for (let round = 1; ; round++) {
    const made = make([...redact, ...(known.size > 0 ? [found] : [])])
    const { exchanges } = made.cassette
    const { stored } = encodeCassette(made.cassette, '')
    const fresh = secretTexts(stored, exchanges).filter((text) => !known.has(text))
    if (fresh.length === 0 || round === ROUNDS) {
      const [secret] = findSecrets(stored, exchanges, env).secrets
      return { ...made, secret }
    }
    for (const text of fresh) known.add(text)
  }
}
