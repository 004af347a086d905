import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import type { Part } from '../prompt/prompt.ts'
import { alignSequences, pairOpposites } from './align.ts'
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

type OptionalJson = JsonValue | undefined

/** A key that needs no quotes in a path. */
const PLAIN_KEY = /^[\w$-]+$/

/** A key that is a path itself: dialects name by it what they keep of a deeper place. */
const PATH_KEY = /^[\w$-]+(?:\[\d+\]|\.[\w$-]+)+$/

const HASH = /^[0-9a-f]{64}$/
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

/** Like {@link diffFields}, for a value at another place than a field of the request. */
export function diffJson(
  recorded: OptionalJson,
  received: OptionalJson,
  at: string,
  placeAt: (path: string) => PromptPlace,
): PromptChange[] {
  const changes: PromptChange[] = []

  function compare(before: OptionalJson, after: OptionalJson, path: string): void {
    if (before === after) return
    if (before === undefined || after === undefined) push(before, after, path)
    else if (Array.isArray(before) && Array.isArray(after)) compareArrays(before, after, path)
    else if (isJsonObject(before) && isJsonObject(after) && !(isBlob(before) && isBlob(after)))
      compareObjects(before, after, path)
    else if (jsonKey(before) !== jsonKey(after)) push(before, after, path)
  }

  function compareObjects(before: JsonObject, after: JsonObject, path: string): void {
    // In the order of what was sent now: cassettes store keys in alphabetical order.
    for (const key of new Set([...keysOf(after), ...keysOf(before)])) {
      const inner = joinPath(path, key)
      const [old, current] = [fieldOf(before, key), fieldOf(after, key)]
      compare(old, current, inner)
      if (isOrdered(key)) compareOrder(old, current, inner)
    }
  }

  /** The order of the properties that both schemas have. */
  function compareOrder(before: OptionalJson, after: OptionalJson, path: string): void {
    if (!isJsonObject(before) || !isJsonObject(after)) return
    const [old, current] = [
      keysOf(before).filter((key) => Object.hasOwn(after, key)),
      keysOf(after).filter((key) => Object.hasOwn(before, key)),
    ]
    changes.push(...diffTexts(placeAt(`${path} (order)`), old.join(', '), current.join(', ')))
  }

  function compareArrays(before: JsonValue[], after: JsonValue[], path: string): void {
    for (const stretch of alignSequences(before.map(jsonKey), after.map(jsonKey))) {
      if (stretch.same) continue
      const old = before.slice(...stretch.recorded)
      const current = after.slice(...stretch.received)
      if (Math.max(old.length, current.length) > MAX_ITEMS) {
        const [from, to] = current.length > 0 ? stretch.received : stretch.recorded
        const range = `${path}[${from}…${to - 1}]`
        push(old.length > 0 ? old : undefined, current.length > 0 ? current : undefined, range)
        continue
      }
      for (const [removed, added] of pairItems(old, current)) {
        const index =
          added === undefined ? stretch.recorded[0] + removed! : stretch.received[0] + added
        compare(old[removed ?? -1], current[added ?? -1], `${path}[${index}]`)
      }
    }
  }

  function push(old: OptionalJson, current: OptionalJson, path: string): void {
    changes.push(changeOf(placeAt(path), contentOf(old), contentOf(current)))
  }

  compare(recorded, received, at)
  return changes
}

/** The path of a field inside `path`. */
function joinPath(path: string, key: string): string {
  if (path === '' && PATH_KEY.test(key)) return key
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

function pairItems(
  old: JsonValue[],
  current: JsonValue[],
): Array<[number | undefined, number | undefined]> {
  if (old.length === current.length) return old.map((_, index) => [index, index])
  const [oldKeys, currentKeys] = [old.map(jsonKey), current.map(jsonKey)]
  return pairOpposites(
    old.length,
    current.length,
    (i, j) => 0.1 + textSimilarity(oldKeys[i]!, currentKeys[j]!),
  )
}

function fieldOf(value: JsonObject, key: string): OptionalJson {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function contentOf(value: OptionalJson): Content | undefined {
  if (value === undefined) return undefined
  return isBlob(value) ? { type: 'part', part: value } : { type: 'value', value }
}

/** Whether a value stands for a picture in the result of a tool: it is compared as one, not by hash and size. */
function isBlob(value: JsonValue): value is JsonObject & Extract<Part, { type: 'blob' }> {
  return (
    isJsonObject(value) &&
    value.type === 'blob' &&
    typeof value.size === 'number' &&
    typeof value.hash === 'string' &&
    HASH.test(value.hash) &&
    keysOf(value).every((key) => BLOB_KEYS.has(key))
  )
}
