import { Validator, type Schema } from '@cfworker/json-schema'
import { isJsonObject, isRawNumber, tryParseJson, type JsonValue } from '../../json/json-value.ts'

/** The JSON object or list of an answer, with or without a Markdown fence around it. */
export function jsonIn(text: string): JsonValue | undefined {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text) ?? []
  const value = tryParseJson(fenced ?? text)
  return typeof value === 'object' && value !== null && !isRawNumber(value) ? value : undefined
}

/** The violations of a schema, a line each: `/price: Instance type "string" is invalid.` */
export function brokenRules(value: JsonValue, schema: JsonValue): string[] {
  try {
    const plain = JSON.parse(JSON.stringify(value)) as unknown
    const validator = new Validator(JSON.parse(JSON.stringify(schema)) as Schema, '2020-12', false)
    const { errors } = validator.validate(plain)
    // The error of an outer value only repeats that an inner one is wrong.
    const inner = errors.filter(({ keyword }) => !AROUND.has(keyword))
    return [
      ...new Set(inner.map((error) => `${error.instanceLocation.slice(1) || '/'}: ${error.error}`)),
    ]
  } catch {
    // A schema that a provider accepts and the standard does not know is not checked.
    return []
  }
}

const AROUND = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
])

/**
 * Lists where the shapes of two values differ: a new or missing field, another type, another boolean. Another text,
 * another number and a longer list are no other shape.
 */
export function shapeChanges(before: JsonValue, now: JsonValue, place: string = ''): string[] {
  const [was, is] = [typeOf(before), typeOf(now)]
  const at = place || '/'
  if (was !== is) return [`${at} is ${is}, was ${was}`]
  if (typeof before === 'boolean') return before === now ? [] : [`${at} is ${now}, was ${before}`]
  if (Array.isArray(before)) {
    // Items of a list are alike, so the first one stands for all.
    const [first, other] = [before[0], (now as JsonValue[])[0]]
    if (first === undefined || other === undefined)
      return first === other ? [] : [`${at} ${other === undefined ? 'is empty' : 'was empty'}`]
    return shapeChanges(first, other, `${place}/0`)
  }
  if (!isJsonObject(before) || !isJsonObject(now)) return []
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(now, key))
  const fresh = Object.keys(now).filter((key) => !Object.hasOwn(before, key))
  return [
    ...gone.map((key) => `${place}/${key} is missing`),
    ...fresh.map((key) => `${place}/${key} is new`),
    ...Object.keys(before).flatMap((key) =>
      Object.hasOwn(now, key) ? shapeChanges(before[key]!, now[key]!, `${place}/${key}`) : [],
    ),
  ]
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' || isRawNumber(value)) return 'a number'
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'string'
      ? 'a text'
      : 'true or false'
}
