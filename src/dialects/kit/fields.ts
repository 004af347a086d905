import {
  isJsonObject,
  isRawNumber,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'

/** A value that may be missing, as every field of a body is until it was looked at. */
export type Field = JsonValue | undefined

/** The object, or an empty one in the place of anything else. */
export function objectOf(value: Field): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The array, or an empty one in the place of anything else. */
export function arrayOf(value: Field): JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** The string, or `undefined` in the place of anything else. */
export function stringOf(value: Field): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The first of the values that is a finite number, however it was spelled. */
export function numberOf(...values: Field[]): number | undefined {
  for (const value of values) {
    const number = isRawNumber(value) ? Number(value.rawJSON) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
  }
  return undefined
}

/** The value of a JSON text, or `undefined` when it is none or is nested beyond reading. */
export function parsed(text: string): Field {
  try {
    return tryParseJson(text)
  } catch {
    return undefined
  }
}

/** The object without its `undefined` fields. */
export function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

/** A JSON object of those fields that have a value. */
export function jsonObject(fields: Record<string, Field>): JsonObject {
  return defined(fields) as JsonObject
}

/** The object without its `null` fields, with which providers say that they do not know yet. */
export function known(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** Those of the names under which the object has an array with something in it. */
export function listsIn(object: JsonObject, ...names: string[]): string[] {
  return names.filter((name) => arrayOf(object[name]).length > 0)
}

/** Those of the names under which the object has a value that is neither `null` nor an empty array. */
export function filledIn(object: JsonObject, ...names: string[]): string[] {
  return names.filter((name) => {
    const value = object[name]
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  })
}

/** Those of the names under which the object has a string. */
export function stringsIn(object: JsonObject, ...names: string[]): string[] {
  return names.filter((name) => typeof object[name] === 'string')
}
