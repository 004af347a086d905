import { expect, test } from 'vitest'
import type { Cassette } from '../../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../../src/engine/incoming.ts'
import type { Session } from '../../../../src/engine/session.ts'
import type { JsonObject, JsonValue } from '../../../../src/json/json-value.ts'
import { genai } from '../../../../src/tools/import/traces/genai.ts'
import { makeTraceCassette } from '../../../../src/tools/import/traces/make-trace-cassette.ts'
import { findPersonal } from '../../../../src/tools/sources/personal.ts'
import { cassetteOfTrace } from '../../../../src/tools/import/traces/trace-cassette.ts'
import { openExample } from '../../../engine/example-session.ts'
import { askWritten, judged } from '../../../engine/written-file.ts'
import { requestTo } from '../../../providers/wire.ts'
import { chatOf, otlpOf, traceOf, type WrittenSpan } from './spans.ts'

const NOW = new Date('2026-06-01T00:00:00Z')

function cassetteOf(spans: readonly WrittenSpan[], cutTexts = false): Cassette {
  return cassetteOfTrace(traceOf(otlpOf(spans)), 'a.test.ts > asks', { now: NOW, cutTexts })
}

function ask(session: Session, messages: object[], more: JsonObject = {}): string | undefined {
  const body = { model: 'any', messages, ...more }
  const url = 'https://api.openai.com/v1/chat/completions'
  const answer = askWritten(session, readIncoming(requestTo(url, body)))
  return answer && (answer.error ?? answer.text)
}

const part = (content: string) => ({ type: 'text', content })
const said = (...texts: string[]): JsonValue[] =>
  texts.map((text, index) => ({ role: index % 2 ? 'assistant' : 'user', parts: [part(text)] }))
const sent = (...texts: string[]): object[] =>
  texts.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }))

test('each exchange has what is new in it', () => {
  const { exchanges, timestamp } = cassetteOf([
    { id: 'a', attributes: chatOf('One', '1') },
    { id: 'b', attributes: chatOf(said('One', '1', 'Two'), '2') },
  ])
  expect(timestamp).toBe('2023-11-14T22:13:21.000Z')
  expect(exchanges.map(({ prompt }) => [prompt.text, prompt.metadata.context])).toMatchObject([
    [
      'One',
      [
        { index: 0, role: 'user', content: 'One' },
        { index: 1, role: 'assistant' },
      ],
    ],
    [
      'Two',
      [
        { index: 2, role: 'user', content: 'Two' },
        { index: 3, role: 'assistant' },
      ],
    ],
  ])
})

test('two conversations at once, whose calls alternate, are told apart', () => {
  const open = (): Session =>
    openExample(
      cassetteOf([
        { id: 'a1', attributes: chatOf('A', 'a') },
        { id: 'b1', attributes: chatOf('B', 'b') },
        { id: 'a2', attributes: chatOf(said('A', 'a', 'More'), 'more of a') },
        { id: 'b2', attributes: chatOf(said('B', 'b', 'More'), 'more of b') },
      ]),
    )
  const orders = [
    [0, 1, 2, 3],
    [1, 3, 0, 2],
    [0, 2, 1, 3],
  ]
  const asked = [['A'], ['B'], ['A', 'a', 'More'], ['B', 'b', 'More']]
  for (const order of orders) {
    const session = open()
    const answers = order.map((place) => ask(session, sent(...asked[place]!)))
    expect(answers).toEqual(order.map((place) => ['a', 'b', 'more of a', 'more of b'][place]))
    expect(judged(session)).toEqual({})
  }
})

test('a call that failed and was made again gets its error, and then its answer', () => {
  const session = openExample(
    cassetteOf([
      { id: 'a', attributes: chatOf('Hi', ''), error: '529 Overloaded' },
      { id: 'b', attributes: chatOf('Hi', 'Hello') },
      { id: 'c', attributes: chatOf(said('Hi', 'Hello', 'Bye'), 'See you') },
    ]),
  )
  expect(ask(session, sent('Hi'))).toBe('Overloaded')
  expect(ask(session, sent('Hi'))).toBe('Hello')
  expect(ask(session, sent('Hi', 'Hello', 'Bye'))).toBe('See you')
  expect(judged(session)).toEqual({})
})

test('what the trace holds of parameters and tools is compared, and the model is not', () => {
  const tool = { name: 'look', parameters: { type: 'object' } }
  const open = (): Session =>
    openExample(
      cassetteOf([
        {
          id: 'a',
          attributes: chatOf('Hi', 'Hello', {
            'gen_ai.request.temperature': 0.5,
            'gen_ai.request.max_tokens': 10,
            'gen_ai.tool.definitions': JSON.stringify([tool]),
          }),
        },
      ]),
    )
  const tools = [{ type: 'function', function: tool }]
  const same = { temperature: 0.5, max_completion_tokens: 10, tools }
  expect(ask(open(), sent('Hi'), { ...same, model: 'another' })).toBe('Hello')
  expect(ask(open(), sent('Hi'), { ...same, user: 'u1' })).toBe('Hello')
  expect(ask(open(), sent('Hi'), { ...same, temperature: 0.7 })).toBeUndefined()
  expect(ask(open(), sent('Hi'), { ...same, tools: [] })).toBeUndefined()
})

test('the exchange tells of which call it is made, and what is not compared', () => {
  const [exchange] = cassetteOf([
    { id: 'a', attributes: chatOf('Hi', 'Hello', { 'gen_ai.provider.name': 'openai' }) },
  ]).exchanges
  expect(exchange!.prompt.metadata.traced).toMatchObject({
    by: genai.name,
    provider: 'openai',
    model: 'gpt-9',
    not_held: ['instructions', 'tools', 'parameters'],
  })
})

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
const CUT = `${LONG.slice(0, 500)}...[truncated]`

test('a text that the tracer has cut is not compared, unless it is asked for: then up to the cut', () => {
  const spans = [
    { id: 'a', attributes: chatOf(CUT, 'Hello') },
    { id: 'b', attributes: chatOf(said(CUT, 'Hello', 'Bye'), 'See you') },
  ]
  const answers = (text: string, cutTexts: boolean): Array<string | undefined> => {
    const session = openExample(cassetteOf(spans, cutTexts))
    return [ask(session, sent(text)), ask(session, sent(text, 'Hello', 'Bye'))]
  }
  for (const cutTexts of [false, true])
    expect(answers(LONG, cutTexts)).toEqual(['Hello', 'See you'])
  expect(answers('Something else', false)).toEqual(['Hello', 'See you'])
  expect(answers('Something else', true)).toEqual([undefined, undefined])
  // All around it counts.
  const session = openExample(cassetteOf(spans))
  expect(ask(session, sent(LONG, 'Hello', 'Good night'))).toBeUndefined()
})

test('a text that was redacted stands for any, also in a call of a tool and in its result', () => {
  const call = (email: string, name: string) => [
    { role: 'user', parts: [part('Find me')] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: { email, exact: true } }],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'c1', response: JSON.stringify({ name }) }],
    },
  ]
  const spans = [
    { id: 'a', attributes: chatOf(call('[REDACTED]', '[REDACTED]') as JsonValue[], 'Found') },
  ]
  const messages = (exact: boolean, name: string): object[] => [
    { role: 'user', content: 'Find me' },
    {
      role: 'assistant',
      tool_calls: [
        {
          id: 'x',
          type: 'function',
          function: {
            name: 'find',
            arguments: JSON.stringify({ email: 'ada@example.com', exact }),
          },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'x', content: name },
  ]
  const answer = (exact: boolean, name: string): string | undefined =>
    ask(openExample(cassetteOf(spans, true)), messages(exact, name))
  expect(answer(true, '{"name":"Ada"}')).toBe('Found')
  expect(answer(false, '{"name":"Ada"}')).toBeUndefined()
  expect(answer(true, '{"name":"Ada","age":3}')).toBeUndefined()
})

test('credentials are replaced as they are at recording, and personal data is named', () => {
  const key = `sk-proj-${'aB3dE5gH7jK9mN1pQ3sT'.repeat(3)}`
  const token = 'tok_of_this_machine_4f9a1c'
  const text = `My key is ${key}, my token ${token}; write to ada@lovelace.org`
  const trace = traceOf(otlpOf([{ id: 'a', attributes: chatOf(text, `Never tell ${key}`) }]))
  const made = makeTraceCassette(trace, 'a.test.ts > asks', {
    env: { MY_API_TOKEN: token },
    redact: [/lovelace/g],
    now: NOW,
  })
  const stored = JSON.stringify(made.cassette)
  expect(stored).not.toContain(key)
  expect(stored).not.toContain(token)
  expect(stored).not.toContain('lovelace')
  expect(made.credentials).toBeGreaterThanOrEqual(3)
  expect(made.secret).toBeUndefined()
  expect(made.cassette.exchanges[0]!.prompt.text).toContain('My key is <REDACTED:')
  // What only looks like a credential is another one today.
  const session = openExample(made.cassette)
  const { text: kept } = made.cassette.exchanges[0]!.prompt
  expect(ask(session, sent(kept.replace(/<REDACTED:CREDENTIAL>/, 'sk-proj-another')))).toContain(
    'Never tell',
  )
})

test('what looks like personal data is left, and named', () => {
  const trace = traceOf(
    otlpOf([{ id: 'a', attributes: chatOf('I am ada@analytical.org', 'Hello') }]),
  )
  const { personal, cassette } = makeTraceCassette(trace, 'a.test.ts > asks', { env: {}, now: NOW })
  expect(personal).toEqual(findPersonal('ada@analytical.org'))
  expect(personal).toMatchObject([{ text: 'ada@analytical.org' }])
  expect(cassette.exchanges[0]!.prompt.text).toContain('ada@analytical.org')
})
