import { endOfString } from './json-value.ts'

/** A bracket, a comma, a colon, the beginning of a text, or any other value, with white space between them. */
const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g

/** A piece of JSON, as it is spelled. */
export interface JsonToken {
  token: string
  index: number
}

/** The tokens of valid JSON. Searches for the end of a text: a pattern that repeats a group overflows on long ones. */
export function* jsonTokens(json: string): Generator<JsonToken> {
  const pattern = new RegExp(TOKEN)
  for (let match = pattern.exec(json); match; match = pattern.exec(json)) {
    const { index } = match
    if (match[0] === '"') pattern.lastIndex = endOfText(json, index)
    yield { token: json.slice(index, pattern.lastIndex), index }
  }
}

function endOfText(json: string, start: number): number {
  const end = endOfString(json, start)
  return end < 0 ? json.length : end + 1
}
