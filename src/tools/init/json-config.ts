import stableStringify from 'fast-json-stable-stringify'
import { jsonTokens, type JsonToken } from '../../json/json-tokens.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'

/** The value of a config file in JSON, which may have comments and trailing commas; `undefined` for any other text. */
export function parseConfig(text: string): JsonValue | undefined {
  const strict = withoutComments(text).replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) =>
    found === ',' ? '' : found,
  )
  try {
    return JSON.parse(strict) as JsonValue
  } catch {
    return undefined
  }
}

/**
 * Adds items to the end of a list in a config file, and leaves its comments and its layout as they are. A list that is
 * not there is created. Returns `undefined` for a text in which the list cannot be found.
 */
export function addToList(
  text: string,
  path: readonly string[],
  items: readonly string[],
): string | undefined {
  const before = parseConfig(text)
  const root = before === undefined ? undefined : new Parser(text).value()
  const expected = before === undefined ? undefined : withItems(before, path, items)
  if (!root || expected === undefined) return undefined
  const added = insert(text, root, path, items)
  const after = added === undefined ? undefined : parseConfig(added)
  return stableStringify(after) === stableStringify(expected) ? added : undefined
}

/** Comments become spaces, so that everything else keeps its place. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, ' '),
  )
}

function withItems(
  value: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  items: readonly string[],
): JsonValue | undefined {
  if (key === undefined)
    return value === undefined || Array.isArray(value) ? [...(value ?? []), ...items] : undefined
  if (value !== undefined && !isJsonObject(value)) return undefined
  const inner = withItems(value?.[key], rest, items)
  return inner === undefined ? undefined : { ...value, [key]: inner }
}

/** The place of a value in a text. */
interface Place {
  start: number
  end: number
  /** The items of a list, or the fields of an object from the beginning of their key. */
  parts: Array<{ start: number; end: number }>
  fields: Map<string, Place>
}

/** Finds the places of the values in a text that {@link parseConfig} reads. */
class Parser {
  readonly #tokens: JsonToken[]
  #at = 0

  constructor(text: string) {
    this.#tokens = [...jsonTokens(withoutComments(text))]
  }

  value(): Place {
    const { token, index } = this.#tokens[this.#at++]!
    const place: Place = { start: index, end: index + token.length, parts: [], fields: new Map() }
    if (token !== '{' && token !== '[') return place
    for (;;) {
      const { token: next, index: start } = this.#tokens[this.#at]!
      if (next === '}' || next === ']') {
        this.#at++
        return { ...place, end: start + 1 }
      }
      if (next === ',') {
        this.#at++
        continue
      }
      if (token === '{') this.#at += 2
      const inner = this.value()
      place.parts.push({ start, end: inner.end })
      if (token === '{') place.fields.set(JSON.parse(next) as string, inner)
    }
  }
}

function insert(
  text: string,
  place: Place,
  [key, ...rest]: readonly string[],
  items: readonly string[],
): string | undefined {
  if (key === undefined)
    return insertPart(text, place, items.map((item) => JSON.stringify(item)).join(', '))
  const field = place.fields.get(key)
  if (field) return insert(text, field, rest, items)
  const value = rest.reduceRight<JsonObject | JsonValue[]>(
    (inner, name) => ({ [name]: inner }),
    [...items],
  )
  return insertPart(text, place, `${JSON.stringify(key)}: ${onOneLine(value)}`)
}

function insertPart(text: string, { start, parts }: Place, part: string): string {
  const last = parts.at(-1)
  const isList = text[start] === '['
  if (!last) return splice(text, start + 1, isList ? part : `\n  ${part}\n`)
  const line = text.slice(text.lastIndexOf('\n', last.start - 1) + 1, last.start)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return splice(text, last.end, `,${/\S/.test(line) ? ' ' : eol + line}${part}`)
}

function splice(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at)
}

function onOneLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  const fields = Object.entries(value as JsonObject)
  return `{ ${fields.map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`).join(', ')} }`
}
