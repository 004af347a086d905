import { isJsonObject, type JsonObject } from '../../json/json-value.ts'

/** Moves the fields of `object[field]` up beside the others, unless a name would occur twice. */
export function flatten(object: JsonObject, field: string | undefined): JsonObject {
  const inner = field === undefined ? undefined : object[field]
  if (field === undefined || !isJsonObject(inner)) return object
  const names = Object.keys(inner)
  if (names.length === 0 || names.some((name) => Object.hasOwn(object, name))) return object
  const { [field]: _, ...others } = object
  return { ...others, ...inner }
}
