import type { Cassette } from '../../cassette/cassette.ts'
import { encodeTexts } from '../../cassette/encode.ts'
import { quoteWord } from '../../text/command-line.ts'
import { keysOfPointer } from '../../json/json-pointer.ts'
import type { FoundSecret } from '../../secrets/find-secrets.ts'
import { textsOfCassette } from '../../secrets/texts-of-cassette.ts'

/**
 * Says where a credential stands because of which a cassette is not written, and the option that replaces it.
 *
 * @param isSettledBy whether a rule replaces it, and not only what it decodes to
 */
export function explainSecret(
  { pointer, rule, masked }: FoundSecret,
  cassette: Cassette,
  isSettledBy: (rule: RegExp) => boolean,
): string {
  const [, index = '', part = '', ...field] = keysOfPointer(pointer)
  const isOfAnswer = part === 'response' || field[0] === 'response'
  const exchange = cassette.exchanges[Number(index)]
  const place = exchange
    ? `the ${isOfAnswer ? 'answer' : 'request'} of ${exchange.id}, at ${pointer}`
    : pointer
  const found = `it holds what looks like a credential: ${masked}, by the rule ${rule}, in ${place}`
  const pattern = tokensAt(pointer, cassette)
    .map(patternOf)
    .find((one) => isSettledBy(RegExp(one)))
  return pattern === undefined
    ? `${found}. No pattern finds it there: take it out of the file`
    : `${found}. If it is real, revoke it. To replace it:\n  --redact ${quoteWord(`/${pattern}/`)}`
}

/** The most that are tried: for each, a cassette is made. */
const MOST_TRIES = 4

/** What may be a credential at a place, as it is spelled there: it can be encoded. The longest first. */
function tokensAt(pointer: string, cassette: Cassette): string[] {
  const { texts } = textsOfCassette(encodeTexts(cassette), cassette.exchanges)
  const tokens = texts
    .filter((text) => text.pointer === pointer)
    .flatMap(({ text }) => text.match(/[\w+/=.~%-]{8,}/g) ?? [])
  return [...new Set(tokens)].sort((one, other) => other.length - one.length).slice(0, MOST_TRIES)
}

/** The kinds of characters of which credentials consist. */
const CLASSES = ['[0-9a-f]', '[A-Za-z0-9]', String.raw`[\w-]`, String.raw`[\w+/=-]`]

/** A pattern of the form of a text: it shows no more of it than the first characters. */
function patternOf(text: string): string {
  const shown = Math.min(6, Math.floor(text.length / 5))
  const rest = text.slice(shown)
  const kind = CLASSES.find((one) => RegExp(`^${one}+$`).test(rest)) ?? String.raw`\S`
  const start = text.slice(0, shown).replaceAll(/[^\w-]/g, String.raw`\$&`)
  return `${start}${kind}{${rest.length}}`
}
