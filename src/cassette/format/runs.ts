import { below } from '../../json/json-pointer.ts'
import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'

/** The most places in which two similar items may differ. */
const MAX_DIFFERENCES = 8

/**
 * Stores similar items of a stream as one, with `$each` where they differ: one text that streams in pieces is one line
 * of the file, wherever it was cut.
 */
export function foldRuns(items: readonly JsonValue[]): JsonValue[] {
  const stored: JsonValue[] = []
  for (let start = 0; start < items.length;) {
    const first = items[start]!
    const places = new Set<string>()
    let end = start + 1
    if (isContainer(first)) while (end < items.length && goesOn(first, items[end]!, places)) end++
    const isRun = end - start > 1 && places.size > 0
    stored.push(isRun ? merge(items.slice(start, end), '', places) : first)
    start = isRun ? end : start + 1
  }
  return stored
}

function goesOn(first: JsonValue, item: JsonValue, places: Set<string>): boolean {
  const others: string[] = []
  if (!differ(first, item, '', others)) return false
  const all = new Set([...places, ...others])
  if (all.size > MAX_DIFFERENCES) return false
  for (const place of others) places.add(place)
  return true
}

/** Notes where two values differ; `false` if they differ in more than texts and numbers. */
function differ(one: JsonValue, other: JsonValue, at: string, places: string[]): boolean {
  if (isLeaf(one) && isLeaf(other) && typeof one === typeof other) {
    if (JSON.stringify(one) !== JSON.stringify(other)) places.push(at)
    return true
  }
  if (!isContainer(one) || !isContainer(other)) return one === other
  // A reference stands for one value.
  if (isJsonObject(one) && Object.hasOwn(one, '$'))
    return JSON.stringify(one) === JSON.stringify(other)
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every(
      (key, index) =>
        key === others[index] &&
        differ((one as JsonObject)[key]!, (other as JsonObject)[key]!, below(at, key), places),
    )
  )
}

function merge(items: readonly JsonValue[], at: string, places: ReadonlySet<string>): JsonValue {
  const [first] = items as [JsonValue]
  if (places.has(at)) return { $each: [...items] }
  if (!isContainer(first)) return first
  const inside = (key: string): JsonValue =>
    merge(
      items.map((item) => (item as JsonObject)[key]!),
      below(at, key),
      places,
    )
  if (Array.isArray(first)) return first.map((_, index) => inside(String(index)))
  return Object.fromEntries(Object.keys(first).map((key) => [key, inside(key)]))
}

function isLeaf(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || isRawNumber(value)
}
