import {
  isContainer,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  mapInside,
  MAX_DEPTH,
  tooDeep,
} from './json-value.ts'

/** The keys and positions that lead to a value. */
export type JsonPlace = ReadonlyArray<string | number>

/**
 * Visits a value and all inside of it, from the outside in. Bytes are one value.
 *
 * @param see returns true to stay out of a value; its place is valid during the call alone
 */
export function walk(value: JsonValue, see: (value: JsonValue, at: JsonPlace) => unknown): void {
  const place: Array<string | number> = []
  fold(value, undefined, (one, _, inside): void => {
    if (see(one, place) === true || !isContainer(one) || ArrayBuffer.isView(one)) return
    const isList = Array.isArray(one)
    for (const key of Object.keys(one)) {
      place.push(isList ? Number(key) : key)
      inside((one as Record<string, JsonValue>)[key]!, undefined)
      place.pop()
    }
  })
}

/**
 * Puts other values in the places of a value, from the outside in; returns the same value if nothing changed.
 *
 * @param change the value to put there, which is not looked into; `undefined` to look into it. Its place is valid during
 * the call alone
 * @param rename another name for a key
 */
export function rewrite(
  value: JsonValue,
  change: (value: JsonValue, at: JsonPlace) => JsonValue | undefined,
  rename?: (key: string) => string,
): JsonValue {
  const place: Array<string | number> = []
  return fold(value, undefined, (one, _, below): JsonValue => {
    const changed = change(one, place)
    if (changed !== undefined || !hasParts(one)) return changed ?? one
    const isList = Array.isArray(one)
    const inside = mapInside(one, (child, key) => {
      place.push(isList ? Number(key) : key)
      const made = below(child, undefined)
      place.pop()
      return made
    })
    return rename && !isList ? renameKeys(inside as Record<string, JsonValue>, rename) : inside
  })
}

function renameKeys(
  value: Record<string, JsonValue>,
  rename: (key: string) => string,
): Record<string, JsonValue> {
  const entries = Object.entries(value).map(([key, child]) => [key, rename(key), child] as const)
  if (entries.every(([key, renamed]) => key === renamed)) return value
  return Object.fromEntries(entries.map(([, renamed, child]) => [renamed, child]))
}

/**
 * Builds a result from a value and the results of its parts, such as a text.
 *
 * @param context passed to `make` for the whole value
 * @param make builds the result of one value; its argument `inside` builds that of a part, with a context for the part
 * @param refuse makes the error for more than {@link MAX_DEPTH} levels: `invalid-json` unless given
 */
export function fold<Made, Context>(
  value: JsonValue,
  context: Context,
  make: (
    value: JsonValue,
    context: Context,
    inside: (part: JsonValue, context: Context) => Made,
  ) => Made,
  refuse: () => Error = tooDeep,
): Made {
  let depth = 0
  const inside = (part: JsonValue, told: Context): Made => {
    if (depth > MAX_DEPTH) throw refuse()
    depth++
    const made = make(part, told, inside)
    depth--
    return made
  }
  return inside(value, context)
}

/** The value at a place of a value; `undefined` if there is none. */
export function valueAt(
  value: JsonValue | undefined,
  place: readonly PropertyKey[],
): JsonValue | undefined {
  return place.reduce<JsonValue | undefined>(
    (outer, key) =>
      hasParts(outer) && Object.prototype.propertyIsEnumerable.call(outer, key)
        ? (outer as JsonObject)[key as string]
        : undefined,
    value,
  )
}

/** A deep copy whose numbers are plain numbers, as `JSON.parse` would have read them. */
export function copyPlain<Value>(value: Value): Value {
  const copy = fold(value as JsonValue, undefined, (one, _, inside): JsonValue => {
    if (isRawNumber(one)) return Number(one.rawJSON)
    if (Array.isArray(one)) return one.map((item) => inside(item, undefined))
    if (!isContainer(one)) return one
    return Object.fromEntries(
      Object.entries(one).map(([key, child]) => [key, inside(child, undefined)]),
    )
  })
  return copy as Value
}

/** A value and all values inside it, from the outside in. */
export function everyValue(value: JsonValue): JsonValue[] {
  const all: JsonValue[] = []
  walk(value, (one) => void all.push(one))
  return all
}

/** All texts of a value, in order, without the keys of its objects. */
export function textsOfJson(value: JsonValue): string[] {
  const texts: string[] = []
  walk(value, (one) => typeof one === 'string' && texts.push(one))
  return texts
}

/**
 * Whether two values are the same JSON, in whatever order their keys stand.
 *
 * @param isOrdered whether the order counts in the object at a key
 * @param isHere whether it counts in the values themselves
 */
export function equal(
  one: JsonValue,
  other: JsonValue,
  isOrdered: (key: string) => boolean = () => false,
  isHere: boolean = false,
): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  // A number that is kept as it was spelled is an object too, and no list nor container.
  if (Array.isArray(one) !== Array.isArray(other) || isContainer(one) !== isContainer(other))
    return false
  const [fields, others] = [one, other] as [Record<string, JsonValue>, Record<string, JsonValue>]
  const [keys, otherKeys] = [Object.keys(fields), Object.keys(others)]
  if (keys.length !== otherKeys.length) return false
  for (const [at, key] of keys.entries()) {
    if (isHere ? key !== otherKeys[at] : !Object.hasOwn(others, key)) return false
    if (!equal(fields[key]!, others[key]!, isOrdered, isOrdered(key))) return false
  }
  return true
}

/** Whether two values are the same JSON with their keys in the same order: written, they are the same text. */
export function sameText(one: JsonValue, other: JsonValue): boolean {
  return equal(one, other, () => true, true)
}

function hasParts(value: JsonValue | undefined): value is JsonValue[] | Record<string, JsonValue> {
  return isContainer(value) && !ArrayBuffer.isView(value)
}
