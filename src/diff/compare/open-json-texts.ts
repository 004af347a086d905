import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { layoutOf } from '../../json/layout.ts'
import { jsonKey, keysOf } from './json-key.ts'

/**
 * Two results of a tool with their JSON texts as values, so that a change is found at its path and not in one long line.
 * A text stays a text where its value does not say all that differs: its order of keys and its spelling.
 */
export function openJsonTexts(before: JsonValue, after: JsonValue): [JsonValue, JsonValue] {
  if (before === after) return [before, after]
  if (typeof before === 'string' && typeof after === 'string')
    return valuesOf(before, after) ?? [before, after]
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const opened = before.map((item, index) => openJsonTexts(item, after[index]!))
    return [opened.map(([one]) => one), opened.map(([, other]) => other)]
  }
  if (isJsonObject(before) && isJsonObject(after)) return openFields(before, after)
  return [before, after]
}

function openFields(before: JsonObject, after: JsonObject): [JsonObject, JsonObject] {
  const [old, current] = [copyOf(before), copyOf(after)]
  for (const key of keysOf(before))
    if (Object.hasOwn(current, key) && current[key] !== undefined)
      [old[key], current[key]] = openJsonTexts(old[key]!, current[key])
  return [old, current]
}

/** Without a prototype, a key named `__proto__` is a key like any other. */
function copyOf(value: JsonObject): JsonObject {
  return Object.assign(Object.create(null) as JsonObject, value)
}

function valuesOf(before: string, after: string): [JsonValue, JsonValue] | undefined {
  const [one, other] = [tryParseJson(before), tryParseJson(after)]
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other))
    return undefined
  const [layout, others] = [layoutOf(before, one), layoutOf(after, other)]
  if (!layout || !others || JSON.stringify(layout) !== JSON.stringify(others)) return undefined
  return jsonKey(one) === jsonKey(other) ? undefined : [one, other]
}

function isContainer(value: JsonValue | undefined): value is JsonValue {
  return Array.isArray(value) || isJsonObject(value)
}
