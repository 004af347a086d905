import { below } from '../../json/json-pointer.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'

/** The most places in which two similar events may differ. */
const MAX_DIFFERENCES = 8

/**
 * Stores each run of similar events of a stream as one: the first event, and in `next`, by JSON pointer, the values of
 * the following events. Common fields are stored once, and one text that streams in pieces is one line: one word is one
 * line of a difference, wherever the stream was cut.
 */
export function storeRuns(events: readonly JsonValue[]): JsonValue[] {
  const stored: JsonValue[] = []
  for (let start = 0; start < events.length;) {
    const first = events[start]!
    const next = new Map<string, JsonValue[]>()
    let end = start + 1
    if (isJsonObject(first))
      while (end < events.length && goesOn(first, events[end]!, end - start - 1, next)) end++
    const isRun = end - start > 1 && next.size > 0
    stored.push(isRun ? { ...(first as JsonObject), next: Object.fromEntries(next) } : first)
    start = isRun ? end : start + 1
  }
  return stored
}

/** Notes in `next` where an event differs from the first of its run; false if it is not similar. */
function goesOn(
  first: JsonObject,
  event: JsonValue,
  before: number,
  next: Map<string, JsonValue[]>,
): boolean {
  const places = new Map<string, [before: JsonValue, now: JsonValue]>()
  if (!compare(first, event, '', places, new Set(next.keys()))) return false
  if (places.size > MAX_DIFFERENCES) return false
  for (const [pointer, [was, is]] of places) {
    const known = next.get(pointer) ?? Array.from({ length: before }, () => was)
    next.set(pointer, [...known, is])
  }
  return true
}

/** Whether two values differ in texts and numbers at most. Collects these differences in `places`. */
function compare(
  one: JsonValue,
  other: JsonValue,
  pointer: string,
  places: Map<string, [JsonValue, JsonValue]>,
  noted: ReadonlySet<string>,
): boolean {
  const isLeaf = (value: JsonValue): boolean =>
    typeof value === 'string' || typeof value === 'number'
  if (isLeaf(one) && typeof one === typeof other) {
    if (one !== other || noted.has(pointer)) places.set(pointer, [one, other])
    return true
  }
  if (typeof one !== 'object' || one === null) return one === other
  if (typeof other !== 'object' || other === null) return false
  if (isRawNumber(one) || isRawNumber(other)) return JSON.stringify(one) === JSON.stringify(other)
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key, index) => key === others[index]) &&
    keys.every((key) =>
      compare(
        (one as JsonObject)[key]!,
        (other as JsonObject)[key]!,
        below(pointer, key),
        places,
        noted,
      ),
    )
  )
}
