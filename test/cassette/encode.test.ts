import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseJson, type JsonValue } from '../../src/json/json-value.ts'
import { sortKeys } from '../../src/json/sort-keys.ts'
import { recordAgent, type AgentTurn } from '../conversation/example-agent.ts'
import { coded } from '../golden.ts'
import { agentWires } from '../conversation/example-wires.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'
import { throughFile } from './through-file.ts'

const noFile = (): Buffer => expect.unreachable()

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
  const all = Array.from({ length: 9 }, (_, index) => message(`message ${index}`))
  const cassette = exampleCassette(
    { messages: all.slice(0, 6) },
    { messages: [all[0]!, ...all.slice(3, 8)] },
    { messages: [all[0]!, message('a summary'), ...all.slice(5)] },
  )
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[1]!.wire!.request.body).toEqual({
    messages: [
      { $same: 'exchange-1', count: 1 },
      { $same: 'exchange-1', from: 3, count: 3 },
      all[6],
      all[7],
    ],
  })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('of two conversations that run side by side each goes on from itself', () => {
  const said = (name: string) => Array.from({ length: 4 }, (_, at) => message(`${name} ${at}`))
  const [one, other] = [said('one'), said('other')]
  const cassette = exampleCassette(
    { messages: [message('both'), other[0]!] },
    { messages: [message('both'), ...one.slice(0, 3)] },
    { messages: [message('both'), ...other] },
    { messages: [message('both'), ...one] },
  )
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[3]!.wire!.request.body).toEqual({
    messages: [{ $same: 'exchange-2', count: 4 }, one[3]],
  })
})

test('an object that looks like ours is not mistaken for it', () => {
  const value = { content: long('file') }
  const cassette = exampleCassette({ a: JSON.stringify(value) }, { a: { $stringified: value } })
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
  expect(file).toContain('{ "$same": "exchange-1", "at": "/wire/request/body/system" }')
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

const note = (text: string): JsonValue => ({
  to: 'Bern',
  note: `${text} is asked, and nobody knows.`,
})

type Change = (value: JsonValue) => JsonValue

test.for<[how: string, spell: Change, around: Change]>([
  ['as a value', (value) => value, (same) => same],
  ['as a text', (value) => JSON.stringify(value), ($stringified) => ({ $stringified })],
  [
    'as a text of several lines',
    (value) => JSON.stringify(value, null, 2),
    ($stringified) => ({ $stringified, layout: { indent: 2 } }),
  ],
])('short arguments of a call are stored once, repeated %s or sorted', ([, spell, around]) => {
  const called = [note('It'), note('She')]
  const cassette = exampleCassette({}, { messages: [{ input: sortKeys(called[0]!) }] })
  for (const [index, parameters] of called.entries()) {
    const { response, wire } = cassette.exchanges[index]!
    response.tool_calls = [{ tool_name: 'ask', parameters }]
    const value = [spell(called[0]!), spell(parameters)]
    wire!.response.body = { kind: 'json', value, layout: {} }
  }
  const { request, response } = encodeCassette(cassette, 's').stored.exchanges[1]!.wire!
  const at = '/response/tool_calls/0/parameters'
  expect(response!.body).toEqual(['1', '2'].map((id) => around({ $same: `exchange-${id}`, at })))
  expect(request.body).toEqual({
    messages: [{ input: { note: { $same: 'exchange-1', at: `${at}/note` }, to: 'Bern' } }],
  })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test('JSON in a text is stored as the value that it spells, if that gives the text back', () => {
  const spelled = { path: 'a.ts', content: long('line') }
  const texts = [
    JSON.stringify(spelled),
    JSON.stringify(spelled, null, 2),
    `{"n": 1.0, "text": "${long('x')}"}`,
    `{ "odd":1,"text":"${long('y')}" }`,
    `{"text":"${long('z')}","text":2}`,
  ]
  const cassette = exampleCassette(...texts.map((text) => ({ arguments: text })))
  const { stored } = encodeCassette(cassette, 's')
  expect(stored.exchanges[0]!.wire!.request.body).toEqual({ arguments: { $stringified: spelled } })
  expect(wiresOf(throughFile(cassette).loaded)).toEqual(wiresOf(cassette))
})

test.for<[name: string, body: JsonValue]>([
  ['no such exchange', { messages: [{ $same: 'exchange-9', count: 1 }] }],
  ['more than there are', { messages: [{ $same: 'exchange-1', count: 3 }] }],
  ['behind the end', { messages: [{ $same: 'exchange-1', from: 2, count: 1 }] }],
  ['a negative place', { messages: [{ $same: 'exchange-1', from: -1, count: 1 }] }],
  ['half a message', { messages: [{ $same: 'exchange-1', count: 0.5 }] }],
  [
    'a number that is spelled oddly',
    parseJson('{"messages":[{"$same":"exchange-1","count":1e15}]}'),
  ],
  ['no array', { messages: { $same: 'exchange-1', at: '/wire/request/body/nothing' } }],
  ['what every object has', { messages: { $same: 'exchange-1', at: '/wire/request/constructor' } }],
  ['itself', { messages: { $same: 'exchange-2' } }],
])('a reference to %s leads nowhere', ([, body]) => {
  const messages = [message('one'), message('two')]
  const { stored } = encodeCassette(exampleCassette({ messages }, {}), 's')
  stored.exchanges[1]!.wire!.request.body = body
  expect(() => decodeCassette(stored, noFile)).toThrow(coded('invalid-cassette'))
  expect(() => decodeCassette(stored, noFile)).toThrow(/ exchange-\d /)
})

test('references that double at every step are refused and not written out', () => {
  const cassette = exampleCassette(...Array.from({ length: 40 }, () => ({})))
  const { stored } = encodeCassette(cassette, 's')
  for (const [index, { wire }] of stored.exchanges.entries()) {
    const at = '/wire/request/body'
    const same = { $same: `exchange-${index}`, at }
    wire!.request.body = index === 0 ? { text: long('x') } : { one: same, other: same }
  }
  expect(() => decodeCassette(stored, noFile)).toThrow(coded('invalid-cassette'))
})

const anyTurn: fc.Arbitrary<AgentTurn> = fc.record({
  question: fc.constantFrom('Hi', long('question'), '{"$same":"exchange-1"}'),
  arguments: fc.constantFrom(
    { $same: 'exchange-1', count: 1 },
    { content: long('file') },
    { to: 'Bern', note: note('It'), lines: 'a line\n'.repeat(20) },
    { list: [note('She'), { $text: ['a text in pieces'] }], $json: note('It') },
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
    { $same: 'exchange-1', count: 1 },
    { $json: { a: 1 } },
    { $stringified: { a: long('a') } },
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
      fc.dictionary(fc.constantFrom('a', 'messages', '$same', '~/', '0'), tie('value'), {
        maxKeys: 3,
      }),
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
