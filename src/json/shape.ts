import { isJsonObject, type JsonValue } from './json-value.ts'

/** Whether a value, or what is missing, has a shape. */
export type Shape = (value: JsonValue | undefined) => boolean

export const anything: Shape = (value) => value !== undefined
export const text: Shape = (value) => typeof value === 'string'
export const flag: Shape = (value) => typeof value === 'boolean'
export const count: Shape = (value) => Number.isFinite(value) && Number(value) >= 0

export function integer(least: number, most: number): Shape {
  return (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

export function matching(pattern: RegExp): Shape {
  return (value) => typeof value === 'string' && pattern.test(value)
}

export function oneOf(...values: readonly JsonValue[]): Shape {
  return (value) => value !== undefined && values.includes(value)
}

export function maybe(shape: Shape): Shape {
  return (value) => value === undefined || shape(value)
}

export function list(item: Shape): Shape {
  return (value) => Array.isArray(value) && value.every((one) => item(one))
}

/** An object with these fields and no others. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const shapes = Object.entries(fields)
  return (value) =>
    isJsonObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(fields, key)) &&
    shapes.every(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined))
}
