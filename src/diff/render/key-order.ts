import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { isOrdered } from '../../json/key-order.ts'

import type { Content } from '../prompt-change.ts'
import { keysOf } from '../../prompt/json-key.ts'

/**
 * A content with its keys in the order of another one, so that a line shows only what differs: cassettes store keys in
 * alphabetical order. Where the other has no such place, they come as their names first appear there. Properties of
 * schemas stay as they are.
 */
export function inOrderOf(model: Content, content: Content): Content {
  const ranks = new Map<string, number>()
  for (const name of namesIn(model as unknown as JsonValue)) ranks.set(name, ranks.size)
  const ordered = order(content as unknown as JsonValue, model as unknown as JsonValue, false)
  return ordered as unknown as Content

  function order(value: JsonValue, like: JsonValue | undefined, isFixed: boolean): JsonValue {
    if (Array.isArray(value)) {
      const items = Array.isArray(like) ? like : []
      return value.map((item, index) => order(item, items[index] ?? items.at(-1), false))
    }
    if (!isJsonObject(value)) return value
    const fields = isJsonObject(like) ? like : {}
    const keys = isFixed ? keysOf(value) : keysInOrder(value, fields, ranks)
    // Without a prototype, a key named `__proto__` is a key like any other.
    const copy: JsonObject = Object.create(null)
    for (const key of keys) {
      const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
      copy[key] = order(value[key]!, inner, isOrdered(key))
    }
    return copy
  }
}

function keysInOrder(
  value: JsonObject,
  like: JsonObject,
  ranks: ReadonlyMap<string, number>,
): string[] {
  const known = keysOf(like).filter((key) => Object.hasOwn(value, key))
  const rankOf = (key: string): number => ranks.get(key) ?? ranks.size
  const others = keysOf(value).filter((key) => !Object.hasOwn(like, key))
  return [...known, ...others.sort((one, other) => rankOf(one) - rankOf(other))]
}

function* namesIn(value: JsonValue): Generator<string> {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key
    yield* namesIn(inner)
  }
}
