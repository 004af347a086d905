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

/** Puts white space into compact JSON, whose values stay as they are spelled. */
export function layOut(
  json: string,
  { indent = 0, spaced }: { indent?: number; spaced?: true },
): string {
  if (indent === 0 && !spaced) return json
  const [comma, step] = indent > 0 ? [',', ' '.repeat(indent)] : [', ', '']
  let [laidOut, line, last] = ['', indent > 0 ? '\n' : '', ':']
  for (const { token } of jsonTokens(json)) {
    const isClosing = '}]'.includes(token)
    if (isClosing) line = line.slice(0, line.length - step.length)
    // A container without items stays as it is.
    if (isClosing !== '{[,'.includes(last)) laidOut += line
    laidOut += token === ',' ? comma : token === ':' ? ': ' : token
    if ('{['.includes(token)) line += step
    last = token
  }
  return laidOut
}
