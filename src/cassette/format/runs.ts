import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { fold, rewrite, valueAt } from '../../json/walk.ts'
import { below } from '../../json/json-pointer.ts'

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
    stored.push(isRun ? merge(items.slice(start, end), places) : first)
    start = isRun ? end : start + 1
  }
  return stored
}

function goesOn(first: JsonValue, item: JsonValue, places: Set<string>): boolean {
  const others: string[] = []
  if (!differ(first, item, others)) return false
  const all = new Set([...places, ...others])
  if (all.size > MAX_DIFFERENCES) return false
  for (const place of others) places.add(place)
  return true
}

/** Notes where two values differ; `false` if they differ in more than texts and numbers. */
function differ(first: JsonValue, item: JsonValue, places: string[]): boolean {
  return fold(first, { other: item, at: '' }, (one, { other, at }, inside): boolean => {
    if (isLeaf(one) && isLeaf(other) && typeof one === typeof other) {
      if (JSON.stringify(one) !== JSON.stringify(other)) places.push(at)
      return true
    }
    if (!isContainer(one) || !isContainer(other)) return one === other
    // A reference stands for one value.
    if (isJsonObject(one) && Object.hasOwn(one, '$'))
      return JSON.stringify(one) === JSON.stringify(other)
    const [fields, others] = [one as JsonObject, other as JsonObject]
    const [keys, otherKeys] = [Object.keys(fields), Object.keys(others)]
    return (
      Array.isArray(one) === Array.isArray(other) &&
      keys.length === otherKeys.length &&
      keys.every(
        (key, index) =>
          key === otherKeys[index] &&
          inside(fields[key]!, { other: others[key]!, at: below(at, key) }),
      )
    )
  })
}

function merge(items: readonly JsonValue[], places: ReadonlySet<string>): JsonValue {
  return rewrite(items[0]!, (_, at) =>
    places.has(at.reduce<string>(below, ''))
      ? { $each: items.map((item) => valueAt(item, at)!) }
      : undefined,
  )
}

function isLeaf(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || isRawNumber(value)
}
