import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'

/** A value, or that there is none. */
export type OptionalJson = JsonValue | undefined

/** Two values that belong together; `undefined` on the side that has none. */
interface JsonPair<Place> {
  one: OptionalJson
  other: OptionalJson
  place: Place
  /** True for values that are not looked into. */
  isWhole?: boolean
}

/** What belongs together in two JSON values, and what counts as a difference. */
interface JsonComparison<Place, Difference> {
  /** The fields of two objects to compare, in their order: all, by default. `undefined` compares them as a whole. */
  keys?(one: JsonObject, other: JsonObject): Iterable<string> | undefined
  /** The items of two lists that belong together. `undefined`, the default, compares the lists as a whole. */
  items?(one: JsonValue[], other: JsonValue[], place: Place): Iterable<JsonPair<Place>> | undefined
  /** The place of a field. */
  below(place: Place, key: string): Place
  /** The differences between two objects beside those of their fields, such as their order. */
  around?(one: JsonObject, other: JsonObject, place: Place): Difference[]
  /** The differences between two values as a whole, which are not the very same. */
  differ(one: OptionalJson, other: OptionalJson, place: Place): Difference[]
}

/** Walks through two JSON values side by side, and lists their differences. */
export function compareJson<Place, Difference>(
  one: OptionalJson,
  other: OptionalJson,
  at: Place,
  comparison: JsonComparison<Place, Difference>,
): Difference[] {
  const { keys = keysOfBoth, items, below, around, differ } = comparison
  const found: Difference[] = []

  function compare({ one, other, place, isWhole }: JsonPair<Place>): void {
    const isBoth = !isWhole && isJsonObject(one) && isJsonObject(other)
    const inside = isBoth ? fieldsOf(one, other, place) : itemsOf(one, other, place, isWhole)
    if (!inside) return add(differ(one, other, place))
    if (isBoth && around) left.push(around(one, other, place))
    for (const pair of Array.from(inside).reverse()) left.push(pair)
  }

  function fieldsOf(one: JsonObject, other: JsonObject, place: Place) {
    const fields = keys(one, other)
    return (
      fields &&
      Array.from(fields, (key) => ({
        one: fieldOf(one, key),
        other: fieldOf(other, key),
        place: below(place, key),
      }))
    )
  }

  function itemsOf(one: OptionalJson, other: OptionalJson, place: Place, isWhole = false) {
    if (isWhole || !Array.isArray(one) || !Array.isArray(other)) return undefined
    return items?.(one, other, place)
  }

  function add(differences: Difference[]): void {
    for (const difference of differences) found.push(difference)
  }

  // The last entry is compared first. The differences around two objects follow those of their fields.
  const left: Array<JsonPair<Place> | Difference[]> = [{ one, other, place: at }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (Array.isArray(next)) add(next)
    else if (next.one !== next.other) compare(next)
  }
  return found
}

function keysOfBoth(one: JsonObject, other: JsonObject): Iterable<string> {
  return new Set([...Object.keys(one), ...Object.keys(other)])
}

/** A key named `__proto__` is a key like any other. */
function fieldOf(value: JsonObject, key: string): OptionalJson {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
