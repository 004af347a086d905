import { compareJson, type OptionalJson } from '../json/compare-json.ts'
import { isContainer, type JsonObject, type JsonValue, tryParseJson } from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import { layoutOf } from '../json/layout.ts'
import { type FilePart, isFilePart } from '../prompt/prompt.ts'
import { alignSequences, pairEdited } from './align.ts'
import {
  changeOf,
  type Content,
  diffTexts,
  type PromptChange,
  type PromptPlace,
} from './prompt-change.ts'
import { textSimilarity } from './similarity.ts'
import { jsonKey, keysOf } from '../prompt/json-key.ts'

/** Longer stretches of changed array items are one change. */
const MAX_ITEMS = 40

/** A key that needs no quotes in a path. */
const PLAIN_KEY = /^[\w$-]+$/

/** A key that is a path itself: dialects name by it what they keep of a deeper place. */
const PATH_KEY = /^[\w$-]+(?:\[\d+\]|\.[\w$-]+)+$/

const BLOB_KEYS = new Set(['type', 'mimeType', 'hash', 'size'])

/**
 * Compares two JSON values field by field; `at` is the path to them. The result is empty only for equal values. A value
 * that is absent on one side is one change.
 */
export function diffFields(
  recorded: OptionalJson,
  received: OptionalJson,
  at = '',
): PromptChange[] {
  return diffJson(recorded, received, at, (path) => ({ area: 'field', path }))
}

/** The path of a value, and whether the order of its keys counts. */
interface JsonPlace {
  path: string
  isOrdered?: boolean
}

/**
 * Like {@link diffFields}, for a value at another place than a field of the request.
 *
 * @param opens whether texts that spell JSON are compared as values
 */
export function diffJson(
  recorded: OptionalJson,
  received: OptionalJson,
  at: string,
  placeAt: (path: string) => PromptPlace,
  opens = false,
): PromptChange[] {
  return compareJson<JsonPlace, PromptChange>(
    recorded,
    received,
    { path: at },
    {
      // In the order of what was sent now: cassettes store keys in alphabetical order.
      keys: (before, after) =>
        isFileAlone(before) && isFileAlone(after)
          ? undefined
          : new Set([...keysOf(after), ...keysOf(before)]),
      below: ({ path }, key) => ({ path: joinPath(path, key), isOrdered: isOrdered(key) }),
      items: pairItems,
      around: (before, after, { path, isOrdered }) =>
        isOrdered
          ? diffTexts(placeAt(`${path} (order)`), orderOf(before, after), orderOf(after, before))
          : [],
      differ(before, after, { path }) {
        const opened = opens ? valuesOf(before, after) : undefined
        if (opened) return diffJson(...opened, path, placeAt)
        return isSame(before, after)
          ? []
          : [changeOf(placeAt(path), contentOf(before), contentOf(after))]
      },
    },
  )
}

function isSame(before: OptionalJson, after: OptionalJson): boolean {
  if (before === undefined || after === undefined) return false
  return jsonKey(before) === jsonKey(after)
}

/** The properties of a schema that another one has too, in their order. */
function orderOf(value: JsonObject, other: JsonObject): string {
  return keysOf(value)
    .filter((key) => Object.hasOwn(other, key))
    .join(', ')
}

/** Items with the same key belong together, and between them those that are most alike. */
function* pairItems(before: JsonValue[], after: JsonValue[], { path }: JsonPlace) {
  for (const stretch of alignSequences(before.map(jsonKey), after.map(jsonKey))) {
    if (stretch.same) continue
    const { recorded, received } = stretch
    const [old, current] = [before.slice(...recorded), after.slice(...received)]
    if (Math.max(old.length, current.length) > MAX_ITEMS) {
      const [from, to] = current.length > 0 ? received : recorded
      const [one, other] = [old, current].map((items) => (items.length > 0 ? items : undefined))
      yield { one, other, place: { path: `${path}[${from}…${to - 1}]` }, isWhole: true }
      continue
    }
    const keys = [old, current].map((items) => items.map(jsonKey))
    const pairs = pairEdited(
      old.length,
      current.length,
      (i, j) => 0.1 + textSimilarity(keys[0]![i]!, keys[1]![j]!),
    )
    for (const [removed, added] of pairs) {
      const index = added === undefined ? recorded[0] + removed! : received[0] + added
      const place = { path: `${path}[${index}]` }
      yield { one: old[removed ?? -1], other: current[added ?? -1], place }
    }
  }
}

/** The path of a field inside `path`. */
function joinPath(path: string, key: string): string {
  if (path === '' && PATH_KEY.test(key)) return key
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

function contentOf(value: OptionalJson): Content | undefined {
  if (value === undefined) return undefined
  return isFileAlone(value) ? { type: 'part', part: value } : { type: 'value', value }
}

/** Whether a value is a file and nothing else, such as a picture in the result of a tool: it is compared as a part. */
function isFileAlone(value: JsonValue): value is JsonObject & FilePart {
  return isFilePart(value) && keysOf(value).every((key) => BLOB_KEYS.has(key))
}

/**
 * The values of two texts that spell JSON, so that a change is found at its path and not in one long line; `undefined`
 * where the values do not say all that differs, such as the order of keys and the spelling.
 */
function valuesOf(before: OptionalJson, after: OptionalJson): [JsonValue, JsonValue] | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  const [one, other] = [tryParseJson(before), tryParseJson(after)]
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other))
    return undefined
  const [layout, others] = [layoutOf(before, one), layoutOf(after, other)]
  if (!layout || !others || JSON.stringify(layout) !== JSON.stringify(others)) return undefined
  return jsonKey(one) === jsonKey(other) ? undefined : [one, other]
}
