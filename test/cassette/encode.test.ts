import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { type JsonObject, parseJson, type JsonValue } from '../../src/json/json-value.ts'
import { sortKeys } from '../../src/json/key-order.ts'
import { recordAgent, type AgentTurn } from '../conversation/example-agent.ts'
import { agentWires } from '../conversation/example-wires.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'
import { throughFile } from './through-file.ts'

function wiresOf({ exchanges }: Cassette): JsonValue[] {
  return exchanges.map(({ wire }) => {
    const { body } = wire!.request
    const sorted =
      body.kind === 'json' ? { ...body, value: sortKeys(body.value), layout: {} } : body
    return JSON.stringify({ request: { ...wire!.request, body: sorted }, response: wire!.response })
  })
}

const message = (content: string): JsonValue => ({ content, role: 'user' })
const long = (name: string): string => `${name} `.repeat(100)

test('a history that lost its oldest messages is a reference to the rest', () => {
  const all = Array.from({ length: 9 }, (_, index) =>
    message(`message ${index} of a long conversation`),
  )
  const cassette = exampleCassette(
    { messages: all.slice(0, 6) },
    { messages: [all[0]!, ...all.slice(3, 8)] },
    { messages: [all[0]!, message('a summary'), ...all.slice(5)] },
  )
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[1]!.request!.body).toEqual({
    $like: 'exchange-1',
    messages: [{ $items: [0, 1] }, { $items: [3, 6] }, all[6], all[7]],
  })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('of two conversations that run side by side each goes on from itself', () => {
  const said = (name: string) =>
    Array.from({ length: 4 }, (_, at) => message(`${name} says something long ${at}`))
  const [one, other] = [said('one'), said('other')]
  const cassette = exampleCassette(
    { messages: [message('both'), other[0]!] },
    { messages: [message('both'), ...one.slice(0, 3)] },
    { messages: [message('both'), ...other] },
    { messages: [message('both'), ...one] },
  )
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[3]!.request!.body).toEqual({
    $like: 'exchange-2',
    messages: [{ $items: [0, 4] }, one[3]],
  })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('an object that looks like ours is not mistaken for it', () => {
  const text = long('file')
  const ours: JsonObject = {
    $like: 'exchange-1',
    a: [{ $items: [0, 1] }, { $: 'exchange-1/a' }, { $join: [text] }],
  }
  const cassette = exampleCassette({ a: [text] }, ours, { b: ours, a: [text] })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('a long value is stored once, wherever it stands', () => {
  const text = long('instructions')
  const cassette = exampleCassette({ system: text }, { messages: [{ parts: [{ text }] }] })
  cassette.exchanges.push(
    exampleExchange(3, { input: 'x' }, { kind: 'json', value: { echo: [text] }, layout: {} }),
  )
  const { text: file, loaded } = throughFile(cassette)
  expect(file.split(text)).toHaveLength(2)
  expect(file).toContain('{ "$": "exchange-1/system" }')
  expect(wiresOf(loaded)).toEqual(wiresOf(cassette))
})

test('what the readable half says is not repeated in the wire half', () => {
  const cassette = exampleCassette({ messages: [message(long('question'))] })
  const [exchange] = cassette.exchanges
  exchange!.prompt.text = long('question')
  exchange!.response.text = long('answer')
  exchange!.wire!.response!.body = { kind: 'json', value: { said: long('answer') }, layout: {} }
  const { text, loaded } = throughFile(cassette)
  expect(text.split(long('question'))).toHaveLength(2)
  expect(text.split(long('answer'))).toHaveLength(2)
  expect(wiresOf(loaded)).toEqual(wiresOf(cassette))
})

test('an id that a response made is stored once, wherever a later request names it', () => {
  const id = 'call_8fA2kQ9xTz'
  const cassette = exampleCassette(
    { model: 'gpt-5', messages: [message('What time is it?')] },
    { messages: [{ tool_call_id: id }] },
  )
  const [first, second] = cassette.exchanges
  const calls = [{ id, type: 'function', function: { name: 'now', arguments: '{}' } }]
  const choices = [{ index: 0, message: { role: 'assistant', tool_calls: calls } }]
  first!.wire.response.body = { kind: 'json', value: { choices }, layout: {} }
  second!.wire.request.url += `?call=${id}`
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[0]!.response.sent!.renewed).toEqual([id])
  expect(stored.exchanges[1]!.request).toMatchObject({
    url: { $join: ['https://api.openai.com/v1/chat/completions?call=', { $: 'exchange-1.0' }] },
    body: { messages: [{ tool_call_id: { $: 'exchange-1.0' } }] },
  })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('numbers of a response are spelled as they were sent, wherever they stand', () => {
  const value = parseJson('{"created":1795710407.0,"a":[1.0,-0,1E+2,1e400],"b":1795710407.0}')
  const cassette = exampleCassette(value, value)
  cassette.exchanges[0]!.wire.response.body = { kind: 'json', value, layout: {} }
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('a key that every object inherits is data like any other', () => {
  const text = long('text')
  const named = { toString: text, constructor: { valueOf: [text] }, hasOwnProperty: 1 }
  const cassette = exampleCassette({ a: text }, named, { ...named, a: text }, { a: named })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

const anyTurn: fc.Arbitrary<AgentTurn> = fc.record({
  question: fc.constantFrom('Hi', long('question'), '{"$":"exchange-1.text"}'),
  arguments: fc.constantFrom(
    { $: 'exchange-1.text' },
    { content: long('file') },
    { to: 'Bern', note: long('note'), lines: 'a line\n'.repeat(20) },
    { list: [long('note'), { $join: ['a text in pieces'] }], $$: long('note') },
    {},
  ),
  result: fc.constantFrom('done', long('result'), JSON.stringify({ log: long('log'), n: [1, 2] })),
  answer: fc.constantFrom('OK', long('answer'), long('question')),
}) as fc.Arbitrary<AgentTurn>

test.for(agentWires)('any conversation over $name comes back, whatever is dropped', (wire) => {
  fc.assert(
    fc.property(
      fc.array(anyTurn, { minLength: 1, maxLength: 6 }),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 8 })),
      fc.boolean(),
      (turns, window, stream) => {
        const cassette = recordAgent(wire, turns, { window, stream, system: long('system') })
        const { loaded, text } = throughFile(cassette)
        expect(wiresOf(loaded)).toEqual(wiresOf(cassette))
        expect(throughFile(loaded).text).toBe(text)
      },
    ),
    { numRuns: 60 },
  )
})

test('any bodies come back that share parts with one another', () => {
  const pieces: JsonValue[] = [
    null,
    'short',
    long('a'),
    JSON.stringify({ a: long('a') }),
    'line '.repeat(30) + '\n' + long('a'),
    { $: 'exchange-1/body' },
    { $like: 'exchange-1', a: 1 },
    { $items: [0, 1] },
    { $each: ['a'] },
    { $$join: [long('a')] },
    { a: long('a') },
    [message('x'), message('y')],
    { m: [message('x'), message(long('b'))] },
  ]
  const piece = fc.constantFrom(...pieces)
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      piece,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom('a', 'messages', '$', '$like', '~/', '0', 'valueOf', '__proto__'),
        tie('value'),
        {
          maxKeys: 3,
        },
      ),
    ) as fc.Arbitrary<JsonValue>,
  }))
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }), (bodies) => {
      const copy = (body: JsonValue): JsonValue => parseJson(JSON.stringify({ body }))
      const cassette = exampleCassette(...bodies.map(([request]) => copy(request)))
      for (const [index, [, answer]] of bodies.entries()) {
        const { wire } = cassette.exchanges[index]!
        wire!.response.body = { kind: 'json', value: copy(answer), layout: {} }
      }
      expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
    }),
    { numRuns: 300 },
  )
})
