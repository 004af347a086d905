import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value.ts'
import { alter, pathsIn, remove, type Path } from '../providers/variants.ts'
import { editsOfAddress, editsOfHeaders } from './address-edits.ts'
import type { Sent } from './sent.ts'

/** A request with one edit. */
export interface Edit {
  /** What was done. */
  kind: string
  /** Where: `messages[].content`, or the part of a request that is no body. */
  place: string
  /** The text that stood there, and in how many places of the body. */
  was?: { text: string; times: number }
  sent: Sent
}

/** Every single edit of a request. */
export function editsOf(sent: Sent): Edit[] {
  const edits = [...editsOfAddress(sent), ...editsOfHeaders(sent), ...editsOfBody(sent)]
  return edits.filter((edit) => JSON.stringify(edit.sent) !== JSON.stringify(sent))
}

/** Every single edit of a JSON body: of each value, each name, each list, and of how it is spelled. */
export function editsOfBody(sent: Sent): Edit[] {
  const body = JSON.parse(sent.body) as JsonObject
  const textAt = (path: Path): Edit['was'] => {
    const text = valueAt(body, path)
    if (typeof text !== 'string') return undefined
    return { text, times: sent.body.split(JSON.stringify(text)).length - 1 }
  }
  const edit = (kind: string, path: Path, changed: JsonObject | string): Edit => ({
    kind,
    place: placeOf(path),
    was: textAt(path),
    sent: { ...sent, body: typeof changed === 'string' ? changed : JSON.stringify(changed) },
  })
  const paths: Path[] = [[], ...pathsIn(body)]
  const [first] = Object.keys(body)
  return [
    ...paths.flatMap((path) =>
      changesOf(valueAt(body, path)).map(([kind, value]) =>
        edit(
          kind,
          path,
          path.length === 0 ? (value as JsonObject) : alter(body, path, () => value),
        ),
      ),
    ),
    ...paths.slice(1).map((path) => edit('removed', path, remove(body, path))),
    ...paths
      .slice(1)
      .flatMap((path) => renamed(body, path).map((other) => edit('renamed', path, other))),
    ...textsTwice(body).map(([text, places]) => {
      const changed = places.reduce((copy, path) => alter(copy, path, () => `other-${text}`), body)
      const place = [...new Set(places.map(placeOf))].join(' = ')
      return { ...edit('changed alike in all its places', places[0]!, changed), place }
    }),
    edit('keys in another order', [], JSON.stringify(reversed(body, false))),
    edit('properties in another order', [], JSON.stringify(reversed(body, true))),
    edit('white space between', [], JSON.stringify(body, null, 2)),
    edit('letters as escapes', [], escaped(JSON.stringify(body))),
    edit(
      'a key twice, first with another value',
      [],
      sent.body.replace('{', `{"${first}":"other",`),
    ),
    edit(
      'a key twice, last with another value',
      [],
      sent.body.replace(/\}$/, `,"${first}":"other"}`),
    ),
  ]
}

/** What can become of one value. */
function changesOf(value: JsonValue): Array<[kind: string, changed: JsonValue]> {
  if (typeof value === 'string') {
    const respelled = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()
    return [
      ['another text', `${value}!`],
      ['a space more', `${value} `],
      ...(respelled === value ? [] : [['another case', respelled] as [string, JsonValue]]),
      ...(value === '' ? [] : [['no text', ''] as [string, JsonValue]]),
      ['a list of it', [value]],
    ]
  }
  if (typeof value === 'number')
    return [
      ['another number', value + 1],
      ['a number as text', String(value)],
      ['a number spelled otherwise', spelled(value.toExponential(20))],
    ]
  if (typeof value === 'boolean')
    return [
      ['the other truth', !value],
      ['a truth as text', String(value)],
    ]
  if (value === null) return [['something for nothing', 0]]
  if (Array.isArray(value)) {
    const swaps = value.slice(1).map((_, at) => swapped(value, at))
    return [
      ['an element more', [...value, value.at(-1) ?? null]],
      ...swaps
        .filter((swap) => JSON.stringify(swap) !== JSON.stringify(value))
        .map((swap): [string, JsonValue] => ['two elements swapped', swap]),
    ]
  }
  return [
    ['a key more', { ...value, added: true }],
    ['a key of nothing more', { ...value, added: null }],
  ]
}

/** A number that is written in these digits. */
function spelled(digits: string): JsonValue {
  return (JSON as unknown as { rawJSON(text: string): JsonValue }).rawJSON(digits)
}

function swapped(list: JsonValue[], at: number): JsonValue[] {
  return list.toSpliced(at, 2, list[at + 1]!, list[at]!)
}

/** The body with another name for one value. */
function renamed(body: JsonObject, path: Path): JsonObject[] {
  const name = path.at(-1)!
  if (typeof name === 'number') return []
  const value = valueAt(body, path)
  const owner = path.slice(0, -1)
  const rename = (fields: JsonValue): JsonObject => {
    const { [name]: _, ...rest } = fields as JsonObject
    return { ...rest, [`${name}_2`]: value }
  }
  return [owner.length === 0 ? rename(body) : alter(body, owner, rename)]
}

/** Texts that stand in several places, as the names of things do. */
function textsTwice(body: JsonObject): Array<[text: string, places: Path[]]> {
  const texts = pathsIn(body).filter((path) => typeof valueAt(body, path) === 'string')
  const byText = Map.groupBy(texts, (path) => valueAt(body, path) as string)
  return [...byText].filter(([, places]) => places.length > 1)
}

/** All keys in another order, or only those of the properties of schemas. */
function reversed(value: JsonValue, ofSchemas: boolean, isHere = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reversed(item, ofSchemas))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(
    ([key, inner]) => [key, reversed(inner, ofSchemas, key === 'properties')] as const,
  )
  return Object.fromEntries(isHere === ofSchemas ? fields.toReversed() : fields)
}

/** The same JSON with the first letter of each text spelled by its number. */
function escaped(text: string): string {
  return text.replaceAll(
    /"[a-z](?=(?:[^"\\]|\\.)*")/g,
    ([quote, letter]) => `${quote}\\u00${letter!.charCodeAt(0).toString(16)}`,
  )
}

function valueAt(body: JsonObject, path: Path): JsonValue {
  return path.reduce<JsonValue>((value, key) => (value as JsonObject)[key]!, body)
}

function placeOf(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .replace(/^\./, '')
}
