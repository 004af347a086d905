import { createHash } from 'node:crypto'
import stableStringify from 'fast-json-stable-stringify'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, type JsonValue } from '../../src/json/json-value.ts'
import { canonicalBody, type CanonicalRequest, hashRequest } from '../../src/prompt/canonical.ts'
import { CALLS } from '../../src/providers/compared-parts.ts'

function hash(body: string | JsonValue): string {
  const value = typeof body === 'string' ? parseJson(body) : body
  return hashRequest({
    method: 'POST',
    endpoint: 'openai',
    path: '/',
    body: canonicalBody(value, { calls: CALLS }),
  })
}

test('the order of keys and white space do not count', () => {
  expect(hash('{"a":1,"b":{"c":2,"d":3}}')).toBe(hash('{ "b": {"d":3, "c":2},\n "a":1 }'))
})

test.each(['properties', 'parameter_definitions'])('the order of %s counts', (name) => {
  const [one, other, sorted] = ['{"b":{},"a":{}}', '{"c":{},"a":{}}', '{"a":{},"b":{}}'].map(
    (fields) => hash(`{"x":[{"schema":{"${name}":${fields},"type":"object"}}]}`),
  )
  expect(new Set([one, other, sorted]).size).toBe(3)
  expect(hash(`{"x":[{"schema":{"type":"object","${name}":{"b":{},"a":{}}}}]}`)).toBe(one)
  const unordered = (value: JsonValue): JsonValue => canonicalBody(value, { unordered: true })
  expect(unordered({ [name]: { b: 1, a: 2 } })).toEqual({ [name]: { a: 2, b: 1 } })
})

test('properties are a list in the order of an object, whose whole numbers come first', () => {
  const body = parseJson('{"properties":{"b":1,"10":2,"a":{"properties":[{"c":1}]},"9":3}}')
  const inner = { properties: [{ c: 1 }] }
  const list = [
    ['9', 3],
    ['10', 2],
    ['b', 1],
    ['a', inner],
  ]
  expect(canonicalBody(body)).toEqual({ properties: list })
  // People compare them by name.
  const named = canonicalBody(body, { named: true })
  expect(JSON.stringify(named)).toBe(JSON.stringify(body))
})

test('the hash is the sha256 of what fast-json-stable-stringify prints', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, key) => {
      const body = { [key]: value, 10: 1, '!': '\ud800' }
      const request = { method: 'POST', endpoint: 'openai', path: '/', body }
      const text = stableStringify(request)
      const expected = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      expect(hashRequest(request as CanonicalRequest)).toBe(expected)
    }),
  )
})

test.each(
  'frequency_penalty logit_bias max_tokens metadata model n parallel_tool_calls prompt_cache_key reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice top_p user verbosity'.split(
    ' ',
  ),
)('%s counts, as each field of a body does', (name) => {
  const values: JsonValue[] = [{}, { [name]: null }, { [name]: 1 }, { [name]: 'a' }, { [name]: {} }]
  const inside = values.map((value) => ({ input: [value] }))
  const bodies = [...values, ...inside]
  expect(new Set(bodies.map(hash)).size).toBe(bodies.length)
})

test('the order of messages counts', () => {
  expect(hash('{"messages":["a","b"]}')).not.toBe(hash('{"messages":["b","a"]}'))
})

test('integers beyond 2^53 keep their digits', () => {
  expect(hash('{"n":12345678901234567890}')).not.toBe(hash('{"n":12345678901234567891}'))
  expect(hash('{"n":9007199254740993}')).not.toBe(hash('{"n":9007199254740992}'))
  expect(hash('{"n":1e400}')).not.toBe(hash('{"n":1e401}'))
})

test('one number has one hash, however it is spelled', () => {
  expect(hash('{"n":1.0}')).toBe(hash('{"n":1}'))
  expect(hash('{"n":0.50}')).toBe(hash('{"n":0.5}'))
})

test('lone surrogates do not collide', () => {
  const texts = ['"\\ud800"', '"\\ud801"', '"\\udc00"', '"\ufffd"', '"\\\\ud800"']
  expect(new Set(texts.map((text) => hash(`{"a":${text}}`))).size).toBe(texts.length)
})

test('long texts count by all that they say', () => {
  const long = 'a word '.repeat(1_000)
  const texts = [long, `${long}x`, `x${long}`, `${long}\ud800`, `${long}\ud801`, `${long}\ufffd`]
  expect(new Set(texts.map((a) => hash({ a }))).size).toBe(texts.length)
})

test.for([NaN, Infinity, 1n, undefined])('%s is refused', (value) => {
  expect(() => canonicalBody({ value } as unknown as JsonValue)).toThrow(/cannot hold/)
})

test('10,000 levels are a clear error and no crash', () => {
  let value: JsonValue = 1
  for (let depth = 0; depth < 10_000; depth++) value = [value]
  expect(() => canonicalBody(value)).toThrow(/more than 1000 levels/)
})

test('a key named __proto__ counts', () => {
  expect(hash('{"__proto__":{"a":1}}')).not.toBe(hash('{"__proto__":{"a":2}}'))
  expect(hash('{"__proto__":{"a":1}}')).not.toBe(hash('{}'))
})

test('texts that look like the marks of the canonical form do not collide with them', () => {
  expect(canonicalBody(['\u0000', '\u0000\u0000', 'a\u0000', { '\u0000': 1 }])).toEqual([
    '\u0000\u0000',
    '\u0000\u0000\u0000',
    'a\u0000',
    { '\u0000': 1 },
  ])
  expect(hash({ tool_call_id: 'x' })).not.toBe(hash({ other: '\u0000call:1' }))
  expect(hash('{"n":12345678901234567890}')).not.toBe(
    hash({ n: '\u0000number:12345678901234567890' }),
  )
})

const conversation = (first: string, second: string, swapped = false): JsonValue => ({
  messages: [
    {
      role: 'assistant',
      tool_calls: [
        { id: first, type: 'function' },
        { id: second, type: 'function' },
      ],
    },
    { role: 'tool', tool_call_id: swapped ? second : first, content: 'A' },
    { role: 'tool', tool_call_id: swapped ? first : second, content: 'B' },
  ],
})

test('ids of tool calls do not count, but which call a result belongs to does', () => {
  expect(hash(conversation('call_a', 'call_b'))).toBe(hash(conversation('x', 'y')))
  expect(hash(conversation('call_a', 'call_b'))).not.toBe(hash(conversation('x', 'y', true)))
  expect(hash(conversation('call_a', 'call_b'))).not.toBe(hash(conversation('same', 'same')))
})

test('a text that equals the id of a call still counts', () => {
  const withText = (id: string, content: string): JsonValue => ({ tool_call_id: id, content })
  expect(hash(withText('1', '1'))).not.toBe(hash(withText('2', '2')))
})

test('long base64 counts by its content', () => {
  const image = (end: string): JsonValue => ({
    url: `data:image/png;base64,${'A'.repeat(2_000)}${end}`,
  })
  expect(hash(image('AAAB'))).not.toBe(hash(image('AAAC')))
  expect(canonicalBody(image('AAAB'))).toEqual(image('AAAB'))
})

test('different values never share a hash, equal ones always do', () => {
  const comparable = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(comparable, comparable, (one, other) => {
      const same = sorted(JSON.parse(one)) === sorted(JSON.parse(other))
      expect(hash({ body: parseJson(one) }) === hash({ body: parseJson(other) })).toBe(same)
    }),
  )
})

/** A second, slower opinion on which values are equal. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, child]) => `${JSON.stringify(key)}:${sorted(child)}`,
  )
  return `{${entries.toSorted().join()}}`
}
