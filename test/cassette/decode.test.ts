import { expect, test } from 'vitest'
import { ValueDecoder } from '../../src/cassette/decode.ts'
import type { JsonValue } from '../../src/json/json-value.ts'

const decode = (value: JsonValue): JsonValue =>
  new ValueDecoder(() => Buffer.alloc(0)).decode(value)

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep'
  for (let level = 0; level < levels; level++) value = { below: value }
  return value
}

test('what has no meaning of its own is the stored value itself', () => {
  const value = { id: 'a', choices: [{ delta: { content: 'Hello' } }], $ref: '#/a' }
  expect(decode(value)).toBe(value)
})

test('what has one leaves its surroundings as they are', () => {
  const rest = { long: 'x'.repeat(1_000) }
  const decoded = decode({ rest, said: { $json: { $same: 'mine' } }, none: null }) as {
    rest: object
  }
  expect(decoded).toEqual({ rest, said: { $same: 'mine' }, none: null })
  expect(decoded.rest).toBe(rest)
})

test.each(['before', 'behind'])('a value in itself is told, with others %s it', (where) => {
  const around: Record<string, JsonValue> = where === 'before' ? { a: { b: {} } } : {}
  around.self = [around]
  if (where === 'behind') around.z = { b: {} }
  expect(() => decode(around)).toThrow('a reference leads to where it stands')
})

test('a value deeper than any prompt is refused, whoever made it so', () => {
  expect(() => decode(nested(999))).not.toThrow()
  expect(() => decode(nested(1_100))).toThrow('deeper than 1000 levels')
})

test('values that name each other twice are refused by what they would take', () => {
  let value: JsonValue = 'x'.repeat(100)
  for (let level = 0; level < 60; level++) value = [value, value]
  expect(() => decode(value)).toThrow('larger than')
})
