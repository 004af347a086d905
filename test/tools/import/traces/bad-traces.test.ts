import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/json/json-value.ts'
import { callsOf, chatOf, idOf, otlpOf, printed, type WrittenSpan } from './spans.ts'

/** A call as OpenAI's instrumentations write it, with the id of its answer. */
const call = (id: string, more: Partial<WrittenSpan> = {}): WrittenSpan => ({
  id,
  attributes: chatOf('Hi', 'Hello', { 'gen_ai.response.id': 'chatcmpl-1' }),
  ...more,
})

/** The same call as OpenInference's LangChain instrumentation writes it, around the one of the SDK. */
const ofLangChain: WrittenSpan = {
  id: 'chain',
  name: 'ChatOpenAI',
  attributes: {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'gpt-9',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hi',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'Hello',
  },
}

/** And as the AI SDK writes it: a span of the whole, and one of the step. */
const ofAiSdk: WrittenSpan[] = [
  {
    id: 'text',
    name: 'ai.generateText',
    attributes: {
      'ai.operationId': 'ai.generateText',
      'ai.prompt': '{"prompt":"Hi"}',
      'ai.response.text': 'Hello',
    },
  },
  {
    id: 'step',
    parent: 'text',
    name: 'ai.generateText.doGenerate',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.id': 'gpt-9',
      'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
      'ai.response.text': 'Hello',
    },
  },
]

test.for<[what: string, spans: WrittenSpan[]]>([
  ['LangChain and the SDK of OpenAI', [ofLangChain, call('sdk', { parent: 'chain', at: 0.1 })]],
  ['the AI SDK and the SDK of OpenAI', [...ofAiSdk, call('sdk', { parent: 'step', at: 1.1 })]],
])('%s, both instrumented, tell of one call', ([, spans]) => {
  for (const some of [spans, spans.toReversed()]) {
    const placed = some.map((span) => ({ ...span, at: span.at ?? spans.indexOf(span) }))
    const [only, ...others] = callsOf(otlpOf(placed))
    expect(others).toEqual([])
    expect(printed(only!)).toEqual(['user: Hi'])
    expect(only!.answer.text).toBe('Hello')
  }
})

test('a file that was exported twice tells each call once', () => {
  const text = otlpOf([call('a'), call('b', { attributes: chatOf('Bye', 'See you') })])
  expect(callsOf(`${text}\n${text}`).map(({ answer }) => answer.text)).toEqual(['Hello', 'See you'])
})

test('calls whose parent is missing, that are out of order, or that began at one time, are read', () => {
  const said = [
    { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
    { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Bye' }] },
  ]
  const later = { id: 'b', parent: 'gone', attributes: chatOf(said, 'See you') }
  const first = { id: 'a', parent: 'gone', attributes: chatOf('Hi', 'Hello') }
  for (const at of [
    [1, 0],
    [0, 0],
  ])
    expect(
      callsOf(
        otlpOf([
          { ...later, at: at[0]! },
          { ...first, at: at[1]! },
        ]),
      ).map(({ answer }) => answer.text),
    ).toEqual(['Hello', 'See you'])
})

/** The span as protocol buffers write it in their own JSON, or as some other exporter does. */
function spelled(more: JsonObject): string {
  const span = {
    traceId: 'f'.repeat(32),
    spanId: idOf('a'),
    name: 'chat',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000000500000000',
    attributes: attributes({}),
    ...more,
  }
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
}

function attributes(more: Record<string, JsonValue>): JsonValue {
  const texts = Object.entries(chatOf('Hi', 'Hello')).map(([key, value]) => ({
    key,
    value: { stringValue: value },
  }))
  const others = Object.entries(more).map(([key, value]) => ({ key, value }))
  return [...texts.filter(({ key }) => !(key in more)), ...others] as JsonValue
}

const text = (value: string): JsonValue => ({ stringValue: value })
const object = (fields: Record<string, JsonValue>): JsonValue => ({
  kvlistValue: { values: Object.entries(fields).map(([key, value]) => ({ key, value })) },
})
const list = (...values: JsonValue[]): JsonValue => ({ arrayValue: { values } })

test.for<[what: string, more: JsonObject]>([
  ['ids in base64', { traceId: 'AAAAAAAAAAAAAAAAAAAA/w==', spanId: 'AAAAAAAAAP8=' }],
  ['no times', { startTimeUnixNano: null, endTimeUnixNano: null }],
  ['nulls', { parentSpanId: null, status: null, events: null, links: null, kind: null }],
  [
    'messages in lists and objects',
    {
      attributes: attributes({
        'gen_ai.input.messages': list(
          object({
            role: text('user'),
            parts: list(object({ type: text('text'), content: text('Hi') })),
          }),
        ),
      }),
    },
  ],
  ['an attribute that is bytes', { attributes: attributes({ blob: { bytesValue: 'AAEC' } }) }],
  [
    'an attribute that is nothing',
    { attributes: attributes({ 'gen_ai.request.seed': {}, 'gen_ai.request.top_p': null }) },
  ],
])('a call with %s is read', ([, more]) => {
  const [only, ...others] = callsOf(spelled(more))
  expect(others).toEqual([])
  expect(printed(only!)).toEqual(['user: Hi'])
  expect(only!.answer.text).toBe('Hello')
})

test('snake_case is read as camelCase is', () => {
  const snake = otlpOf([call('a')]).replaceAll(
    /"(resourceSpans|scopeSpans|traceId|spanId|startTimeUnixNano|endTimeUnixNano)"/g,
    (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
  expect(snake).toContain('"start_time_unix_nano"')
  const [only] = callsOf(snake)
  expect(printed(only!)).toEqual(['user: Hi'])
})

test.for([
  ['messages that are cut JSON', '[{"role":"user","parts":[{"type":"text","content":"Hi, I am'],
  ['messages that are a number', '7'],
])('a call with %s is no call without words: what is there is told', ([, messages]) => {
  const [only] = callsOf(
    otlpOf([
      { id: 'a', attributes: { ...chatOf('', 'Hello'), 'gen_ai.input.messages': messages! } },
    ]),
  )
  expect(only!.answer.text).toBe('Hello')
  expect(only!.notHeld.includes('messages') || only!.cut.length > 0).toBe(true)
})
