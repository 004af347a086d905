import { describe, expect, test } from 'vitest'
import { decodeCassette, decodeWhenAsked } from '../../src/cassette/decode.ts'
import type { StoredCassette, StoredExchange } from '../../src/cassette/format.ts'
import { References } from '../../src/cassette/format/references.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

const URL = 'https://api.openai.com/v1/chat/completions'

const noFile = (): Buffer => expect.unreachable()

function exchange(number: number, body: JsonValue, sent: JsonObject = {}): StoredExchange {
  return {
    id: `exchange-${number}`,
    prompt: { text: 'Hello?' },
    request: { method: 'POST', url: URL, body },
    response: { text: 'Hi.', sent: { status: 200, headers: {}, ...sent } },
  }
}

function file(...exchanges: StoredExchange[]): StoredCassette {
  return {
    version: '2.0',
    conversation_id: 'a',
    exchanges,
    timestamp: '2026-01-01T00:00:00.000Z',
  }
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep'
  for (let level = 0; level < levels; level++) value = { below: value }
  return value
}

describe('a value without references', () => {
  const references = new References([{ id: 'a', prompt: '', text: 'Hi.', renewed: [] }], String)

  test('is the stored value itself', () => {
    const value = { id: 'a', choices: [{ delta: { content: 'Hello' } }], $ref: '#/a' }
    expect(references.response(0, value)).toBe(value)
  })

  test('stays what it is beside one that has some', () => {
    const rest = { long: 'x'.repeat(1_000) }
    const decoded = references.response(0, { rest, said: { $: 'text' }, none: null }) as JsonObject
    expect(decoded).toEqual({ rest, said: 'Hi.', none: null })
    expect(decoded.rest).toBe(rest)
  })
})

test('requests share what they have in common', () => {
  const messages = [{ role: 'user', content: 'x'.repeat(1_000) }]
  const more: JsonObject = {
    $like: 'exchange-1',
    messages: [{ $items: [0, 1] }, { role: 'assistant' }],
  }
  const { exchanges } = decodeCassette(file(exchange(1, { messages }), exchange(2, more)), noFile)
  const [one, other] = exchanges.map(({ wire }) => {
    const { body } = wire!.request
    return body.kind === 'json' && (body.value as { messages: object[] }).messages
  }) as [object[], object[]]
  expect(other).toHaveLength(2)
  expect(other[0]).toBe(one[0])
})

test('a value deeper than any prompt is refused, also where references make it so', () => {
  const deep = (levels: number): StoredCassette =>
    file(exchange(1, { a: nested(levels) }), exchange(2, { b: nested(500), a: nested(1) }))
  expect(() => decodeCassette(deep(999), noFile)).not.toThrow()
  expect(() => decodeCassette(deep(1_100), noFile)).toThrow(coded('invalid-cassette'))
  const twice = file(exchange(1, { a: nested(600) }), exchange(2, nestedAround(600)))
  expect(() => decodeCassette(twice, noFile)).toThrow(coded('invalid-cassette'))
})

/** A value of an earlier exchange inside so many levels. */
function nestedAround(levels: number): JsonValue {
  let value: JsonValue = { $: 'exchange-1/a' }
  for (let level = 0; level < levels; level++) value = { below: value }
  return value
}

test('values that double at every step are refused, and not written out', async () => {
  const doubling = Array.from({ length: 40 }, (_, at) => {
    const earlier: JsonValue = at === 0 ? 'x'.repeat(1_000) : { $: `exchange-${at}/a` }
    return exchange(at + 1, { a: [earlier, earlier] })
  })
  await expectGolden(await failureOf(() => decodeCassette(file(...doubling), noFile)), 'too-large')
})

describe('bodies that are decoded when they are asked for', () => {
  const broken = file(
    exchange(1, { a: 1 }, { body: { b: 1 } }),
    exchange(2, { a: { $: 'exchange-9.text' } }, { body: { b: { $: 7 } } }),
  )

  test('hide nothing of the others', () => {
    const { exchanges } = decodeWhenAsked(broken, noFile, (error) => error)
    expect(exchanges[0]!.wire!.request.body).toMatchObject({ value: { a: 1 } })
    expect(exchanges[1]!.wire!.request.url).toBe(URL)
  })

  test('fail with their place', () => {
    const named = new Error('named')
    const { exchanges } = decodeWhenAsked(broken, noFile, ({ message }) => {
      named.message = message
      return named
    })
    const { request, response } = exchanges[1]!.wire!
    expect(() => request.body).toThrow(named)
    expect(named.message).toMatch(/^at \/exchanges\/1\/request: .*exchange-9/)
    expect(() => response!.body).toThrow(named)
    expect(named.message).toMatch(/^at \/exchanges\/1\/response\/sent: .* 7$/)
  })
})
