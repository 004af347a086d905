import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'

/**
 * Lists where two answers to one schema decide differently: another boolean, or another value of an `enum`. All other
 * texts and numbers count as words.
 */
export function decisionChanges(
  before: JsonValue,
  now: JsonValue,
  schema: JsonObject,
  root: JsonObject = schema,
  place: string = '',
): string[] {
  const rules = resolveRef(schema, root)
  if (!isJsonObject(before) || !isJsonObject(now)) {
    const isChoice = typeof before === 'boolean' || Array.isArray(rules.enum)
    return isChoice && before !== now && !Array.isArray(before)
      ? [`${place || '/'} is ${JSON.stringify(now)}, was ${JSON.stringify(before)}`]
      : []
  }
  const properties = isJsonObject(rules.properties) ? rules.properties : {}
  return Object.keys(before).flatMap((key) => {
    if (!Object.hasOwn(now, key)) return []
    const inner = Object.hasOwn(properties, key) ? properties[key]! : {}
    const field = isJsonObject(inner) ? inner : {}
    return decisionChanges(before[key]!, now[key]!, field, root, `${place}/${key}`)
  })
}

function resolveRef(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: ref } = schema
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  const found = ref
    .slice(2)
    .split('/')
    .reduce<JsonValue | undefined>(
      (value, key) => (isJsonObject(value) ? value[key] : undefined),
      root,
    )
  return isJsonObject(found) && !('$ref' in found) ? found : schema
}
