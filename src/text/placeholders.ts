import { MAY_BE_PLACEHOLDER } from './holds-text.ts'

/** An opening and a closing mark, also as an address spells them. */
const [LESS, GREATER] = ['(?:<|%3[Cc])', '(?:>|%3[Ee])']

/** A placeholder in a text: its beginning, a `=` for each time that it was a text of the data, and what it says. */
export const PLACEHOLDER: RegExp = new RegExp(
  `(${LESS}REDACTED(?::|%3[Aa]))(=*)((?!${LESS}|${GREATER})[^=](?:(?!${LESS}|${GREATER})[^])*)${GREATER}`,
  'g',
)

/** What a placeholder of a rule says: the rule, the number of the value, and digits that tell it from others. */
export const NUMBERED = /^([\w-]+)\.(\d+)(?:(?: |%20|\+)([\da-f]+))?$/

/** The placeholders in a text, without the texts that only look like one. */
export function placeholdersIn(text: string): Array<{ whole: string; name: string }> {
  if (!MAY_BE_PLACEHOLDER.test(text)) return []
  return Array.from(text.matchAll(PLACEHOLDER)).flatMap(([whole, , escapes, name]) =>
    escapes === '' ? [{ whole, name: name! }] : [],
  )
}
