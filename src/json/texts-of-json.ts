import { isJsonObject, type JsonValue } from './json-value.ts'

/** All texts of a value, in order, without the keys of its objects. */
export function* textsOfJson(value: JsonValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsOfJson(item)
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* textsOfJson(item)
}
