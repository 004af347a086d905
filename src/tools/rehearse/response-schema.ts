import { isJsonObject, type JsonObject, type JsonValue, mapInside } from '../../json/json-value.ts'
import type { WireRequest } from '../../wire/message.ts'
import { jsonOf } from '../../wire/body.ts'

/** The paths of the response schema in the wire formats. */
const PLACES = [
  ['response_format', 'json_schema', 'schema'],
  ['response_format', 'json_schema'],
  ['response_format', 'schema'],
  ['text', 'format', 'schema'],
  ['output_config', 'format', 'schema'],
  ['output_format', 'schema'],
  ['generationConfig', 'responseJsonSchema'],
  ['generationConfig', 'responseSchema'],
  ['format'],
] as const

/** The response schema of a request. */
export function responseSchemaOf({ body }: WireRequest): JsonObject | undefined {
  const asked = jsonOf(body)
  for (const place of PLACES) {
    const found = place.reduce<JsonValue | undefined>(
      (value, key) => (isJsonObject(value) ? value[key] : undefined),
      asked,
    )
    if (isJsonObject(found) && ['type', 'properties', 'anyOf', '$ref'].some((key) => key in found))
      return inStandardWords(found) as JsonObject
  }
  return undefined
}

/** Converts the spelling of Gemini, `STRING` and `nullable`, to that of the standard. */
function inStandardWords(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return mapInside(schema, inStandardWords)
  const { type, nullable, ...rest } = schema
  const inner = mapInside(rest, inStandardWords) as JsonObject
  if (typeof type !== 'string') return { ...inner, ...(type === undefined ? {} : { type }) }
  const name = /^[A-Z]+$/.test(type) ? type.toLowerCase() : type
  return { ...inner, type: nullable === true ? [name, 'null'] : name }
}
