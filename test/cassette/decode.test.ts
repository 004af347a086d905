import { expect, test } from 'vitest'
import { decodeWhenAsked, sameBody, ValueDecoder } from '../../src/cassette/decode.ts'
import type { StoredCassette } from '../../src/cassette/format.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

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

test.each(['before', 'behind'])('a value in itself is told, with others %s it', async (where) => {
  const around: Record<string, JsonValue> = where === 'before' ? { a: { b: {} } } : {}
  around.self = [around]
  if (where === 'behind') around.z = { b: {} }
  expect(() => decode(around)).toThrow(coded('invalid-cassette'))
  await expectGolden(await failureOf(() => decode(around)), 'value-in-itself')
})

test('a value deeper than any prompt is refused, whoever made it so', () => {
  expect(() => decode(nested(999))).not.toThrow()
  expect(() => decode(nested(1_100))).toThrow(' 1000 ')
})

test('values that name each other twice are refused by what they would take', async () => {
  let value: JsonValue = 'x'.repeat(100)
  for (let level = 0; level < 60; level++) value = [value, value]
  const refused = await failureOf(() => decode(value))
  expect(refused).toMatch(/^invalid-cassette\n.* \d+ /s)
  await expectGolden(refused, 'too-large')
})

test('a value that is compared is not counted, however often, and counts once when it is read', () => {
  // More than half of what all values may have.
  const long = 'x'.repeat(2 ** 28 + 1)
  const request = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: { input: { $json: { $same: long } } },
  }
  const stored = {
    version: '1.3',
    conversation_id: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: [
      {
        id: 'exchange-1',
        prompt: { text: '', metadata: {} },
        response: { text: '' },
        wire: { request, response: { status: 200, headers: {}, body: {} } },
      },
    ],
  } as StoredCassette
  const [exchange] = decodeWhenAsked(
    stored,
    () => Buffer.alloc(0),
    (error) => error,
  ).cassette.exchanges
  const recorded = exchange!.wire!.request
  const body = { kind: 'json', value: { input: { $same: long } }, layout: {} } as const
  expect([1, 2, 3].map(() => sameBody(recorded, body))).toEqual([true, true, true])
  expect(recorded.body).toEqual(body)
})
