import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Usage } from '../prompt/completion.ts'

/** The value of a field of a body, which may be missing. */
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

/** The sum of the values that are numbers, or `undefined` if none is. */
export function sumOf(...values: Field[]): number | undefined {
  const numbers = values.map((value) => numberOf(value)).filter((value) => value !== undefined)
  return numbers.length > 0 ? numbers.reduce((sum, number) => sum + number) : undefined
}

/** The object without its `undefined` fields. */
export function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

/** The object, or `undefined` in the place of one without fields. */
export function unlessEmpty<T extends object>(object: T): T | undefined {
  return Object.keys(object).length > 0 ? object : undefined
}

/** The counts that a provider sent, or `undefined` if it sent none. Some send -1 for a count that they do not know. */
export function counted(usage: Usage): Usage | undefined {
  const counts = Object.entries(usage).filter(([, count]) => Number.isFinite(count) && count! >= 0)
  return unlessEmpty(Object.fromEntries(counts) as Usage)
}

/** A JSON object of those fields that have a value. */
export function jsonObject(fields: Record<string, Field>): JsonObject {
  return defined(fields) as JsonObject
}

/** The object without its `null` fields, which mean that the provider does not know the value yet. */
export function known(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** The object without the fields of these names. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Moves the fields of `object[field]` up beside the others, unless a name would occur twice. */
export function flatten(object: JsonObject, field: string | undefined): JsonObject {
  const inner = field === undefined ? undefined : object[field]
  if (field === undefined || !isJsonObject(inner)) return object
  const names = Object.keys(inner)
  if (names.length === 0 || names.some((name) => Object.hasOwn(object, name))) return object
  const { [field]: _, ...others } = object
  return { ...others, ...inner }
}

/** The names under which the object has a value that is neither `null` nor an empty array. */
export function filledIn(object: JsonObject, ...names: string[]): string[] {
  return names.filter((name) => {
    const value = object[name]
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  })
}

/** Whether a value is a text, or a list that is not empty. */
export function isFilled(value: Field): boolean {
  return typeof value === 'string' || arrayOf(value).length > 0
}
