import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'

/** The names and numbers that lead from a body to one of its values. */
export type Path = (string | number)[]

/** The paths to all values inside a body. */
export function pathsIn(value: JsonValue): Path[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key) => {
    const inner = pathsIn((value as JsonObject)[key]!)
    return [[key], ...inner.map((path) => [key, ...path])]
  })
}

/** A copy of a body with another value at one place. */
export function alter(
  body: JsonObject,
  path: Path,
  change: (value: JsonValue) => JsonValue,
): JsonObject {
  const copy = structuredClone(body)
  const owner = ownerOf(copy, path)
  owner[path.at(-1)!] = change(owner[path.at(-1)!]!)
  return copy
}

/** A copy of a body without the value at one place. */
export function remove(body: JsonObject, path: Path): JsonObject {
  const copy = structuredClone(body)
  const owner = ownerOf(copy, path)
  if (Array.isArray(owner)) owner.splice(path.at(-1) as number, 1)
  else delete owner[path.at(-1)!]
  return copy
}

function ownerOf(body: JsonObject, path: Path): JsonObject {
  return path.slice(0, -1).reduce<JsonObject>((owner, key) => owner[key] as JsonObject, body)
}
