import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { decodeCassette } from '../../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../../src/cassette/encode.ts'
import { parseCassette } from '../../../../src/cassette/parse.ts'
import { readIncoming } from '../../../../src/engine/incoming.ts'
import type { Session } from '../../../../src/engine/session.ts'
import type { JsonObject, JsonValue } from '../../../../src/json/json-value.ts'
import { choicesAsked } from '../../../../src/tools/import/traces/choices.ts'
import { makeTraceCassette } from '../../../../src/tools/import/traces/make-trace-cassette.ts'
import type { ModelCall } from '../../../../src/tools/import/traces/model-call.ts'
import { findPersonal } from '../../../../src/tools/sources/personal.ts'
import { cassetteOfTrace } from '../../../../src/tools/import/traces/trace-cassette.ts'
import { writeBody } from '../../../../src/wire/body.ts'
import { openExample } from '../../../engine/example-session.ts'
import { askWritten, judged, nextOrder } from '../../../engine/written-file.ts'
import { requestTo } from '../../../providers/wire.ts'
import { callOf, chatOf, otlpOf, traceOf } from './spans.ts'

// Traces of requests for several choices, asked again by the SDKs of the providers.

const CALL = { id: 'call_9', name: 'look_up', arguments: { order: 7 } }

/** One call as each of the conventions keeps it: with two choices, of which the second calls a tool. */
const TRACES: Record<string, Record<string, JsonValue>> = {
  OpenTelemetry: chatOf('Name it', '', {
    'gen_ai.request.choice.count': 2,
    'gen_ai.output.messages': JSON.stringify([
      {
        role: 'assistant',
        parts: [{ type: 'text', content: 'Call it Ada.' }],
        finish_reason: 'stop',
      },
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'I will look.' },
          { type: 'tool_call', ...CALL },
        ],
        finish_reason: 'tool_calls',
      },
    ]),
  }),
  Traceloop: {
    'llm.request.type': 'chat',
    'gen_ai.system': 'OpenAI',
    'gen_ai.request.model': 'gpt-9',
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': 'Name it',
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': 'Call it Ada.',
    'gen_ai.completion.0.finish_reason': 'stop',
    'gen_ai.completion.1.role': 'assistant',
    'gen_ai.completion.1.content': 'I will look.',
    'gen_ai.completion.1.finish_reason': 'tool_calls',
    'gen_ai.completion.1.tool_calls.0.id': CALL.id,
    'gen_ai.completion.1.tool_calls.0.name': CALL.name,
    'gen_ai.completion.1.tool_calls.0.arguments': JSON.stringify(CALL.arguments),
  },
  OpenInference: {
    'openinference.span.kind': 'LLM',
    'llm.system': 'openai',
    'llm.model_name': 'gpt-9',
    'llm.invocation_parameters': '{"model":"gpt-9","n":2}',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Name it',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'Call it Ada.',
    'llm.output_messages.1.message.role': 'assistant',
    'llm.output_messages.1.message.content': 'I will look.',
    'llm.output_messages.1.message.tool_calls.0.tool_call.id': CALL.id,
    'llm.output_messages.1.message.tool_calls.0.tool_call.function.name': CALL.name,
    'llm.output_messages.1.message.tool_calls.0.tool_call.function.arguments': JSON.stringify(
      CALL.arguments,
    ),
  },
}
const names = Object.keys(TRACES)

/** A session with the cassette of a trace, written and read again. */
function sessionOf(attributes: Record<string, JsonValue>): Session {
  const trace = traceOf(otlpOf([{ id: 'a', attributes }]))
  const made = cassetteOfTrace(trace, 'a.test.ts > asks', { now: new Date('2026-06-01') })
  const { stored } = encodeCassette(made, '')
  return openExample(
    decodeCassette(parseCassette(JSON.stringify(stored)), () => {
      throw new Error('no file')
    }),
  )
}

/** A fetch that asks a session instead of a provider. */
function fetchFrom(session: Session): typeof fetch {
  return async (input, init) => {
    const asked = requestTo(String(input), JSON.parse(String(init!.body)))
    const answer = session.answer(readIncoming(asked), { order: nextOrder() })
    if (answer.action !== 'replay') return Response.json({ error: 'not replayed' }, { status: 400 })
    const { status, headers, body } = answer.response
    return new Response(Buffer.concat(writeBody(body)), { status, headers: headers as HeadersInit })
  }
}

function openAi(session: Session): OpenAI {
  return new OpenAI({ apiKey: 'k', fetch: fetchFrom(session), maxRetries: 0 })
}

const ASKED = {
  model: 'gpt-9',
  messages: [{ role: 'user' as const, content: 'Name it' }],
}

const CHOICES = [
  [0, 'Call it Ada.', undefined, 'stop'],
  [
    1,
    'I will look.',
    [{ id: CALL.id, type: 'function', function: { name: CALL.name, arguments: '{"order":7}' } }],
    'tool_calls',
  ],
]

test.for(names)('the choices in a trace of %s answer chat completions', async (name) => {
  const session = sessionOf(TRACES[name]!)
  const { choices } = await openAi(session).chat.completions.create({ ...ASKED, n: 2 })
  expect(
    choices.map(({ index, message, finish_reason: reason }) => [
      index,
      message.content,
      message.tool_calls,
      reason,
    ]),
  ).toEqual(CHOICES)
  expect(judged(session)).toEqual({})
})

function withoutParsed(call: object): object {
  const { name, arguments: said } = (call as { function: Record<string, string> }).function
  return { name, arguments: said }
}

test.for(names)('the choices in a trace of %s answer a stream, by their numbers', async (name) => {
  const session = sessionOf(TRACES[name]!)
  const stream = openAi(session).chat.completions.stream({
    ...ASKED,
    n: 2,
    stream_options: { include_usage: true },
  })
  const seen: number[] = []
  stream.on('chunk', ({ choices }) => seen.push(choices.length))
  const { choices, usage } = await stream.finalChatCompletion()
  expect(
    choices.map(({ index, message, finish_reason: reason }) => [
      index,
      message.content,
      // The client reads the arguments, too.
      message.tool_calls?.map((call) => ({ ...call, function: withoutParsed(call) })),
      reason,
    ]),
  ).toEqual(CHOICES)
  expect(usage).toBeDefined()
  // The last has the usage.
  expect(seen).toEqual([...Array.from({ length: seen.length - 1 }, () => 1), 0])
  expect(judged(session)).toEqual({})
})

function gemini(session: Session): GoogleGenAI {
  vi.stubGlobal('fetch', fetchFrom(session))
  return new GoogleGenAI({ apiKey: 'k' })
}

const ASKED_OF_GEMINI = {
  model: 'gemini-3',
  contents: 'Name it',
  config: { candidateCount: 2 },
}

test.for(names)('they are candidates for Gemini, at once and streamed: %s', async (name) => {
  const session = sessionOf(TRACES[name]!)
  const { candidates } = await gemini(session).models.generateContent(ASKED_OF_GEMINI)
  const read = candidates!.map(({ index, content, finishReason }) => [
    index,
    content!.parts!.map(({ text }) => text ?? '').join(''),
    content!.parts!.flatMap(({ functionCall }) => functionCall ?? []),
    finishReason,
  ])
  const call = { id: CALL.id, name: CALL.name, args: CALL.arguments }
  expect(read).toEqual([
    [0, 'Call it Ada.', [], 'STOP'],
    [1, 'I will look.', [call], 'STOP'],
  ])
  expect(judged(session)).toEqual({})

  const streamed = sessionOf(TRACES[name]!)
  const pieces = await gemini(streamed).models.generateContentStream(ASKED_OF_GEMINI)
  const texts = ['', '']
  let first = ''
  for await (const piece of pieces) {
    first += piece.text ?? ''
    for (const { index = 0, content } of piece.candidates!)
      texts[index] += content!.parts!.map(({ text }) => text ?? '').join('')
  }
  expect(texts).toEqual(['Call it Ada.', 'I will look.'])
  expect(first).toBe('Call it Ada.')
  expect(judged(streamed)).toEqual({})
  vi.unstubAllGlobals()
})

const URL_OF_CHAT = 'https://api.openai.com/v1/chat/completions'

function ask(session: Session, more: JsonObject, url: string = URL_OF_CHAT): string | undefined {
  return askWritten(session, readIncoming(requestTo(url, { ...ASKED, ...more })))?.text
}

test('another number of choices fails, where the trace tells it', () => {
  for (const more of [{ n: 3 }, { n: 1 }, {}] as JsonObject[]) {
    const session = sessionOf(TRACES.OpenTelemetry!)
    expect(ask(session, more)).toBeUndefined()
    expect(judged(session).failure!.details).toMatch(/\bn\b[^]*- 2/)
  }
})

test('a request that has no number of choices asks for one', () => {
  const one = chatOf('Name it', 'Call it Ada.', { 'gen_ai.request.choice.count': 1 })
  expect(ask(sessionOf(one), {})).toBe('Call it Ada.')
  expect(ask(sessionOf(one), { n: 1 })).toBe('Call it Ada.')
  expect(ask(sessionOf(one), { n: 2 })).toBeUndefined()
})

test('a request gets as many choices as it asks for if the number is not traced', async () => {
  const three = {
    ...TRACES.Traceloop!,
    'gen_ai.completion.2.role': 'assistant',
    'gen_ai.completion.2.content': 'Call it Bob.',
    'gen_ai.completion.2.finish_reason': 'stop',
  }
  for (const [n, count] of [
    [undefined, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [9, 3],
  ] as const) {
    const session = sessionOf(three)
    const asked = n === undefined ? ASKED : { ...ASKED, n }
    const { choices } = await openAi(session).chat.completions.create(asked)
    expect(choices).toHaveLength(count)
    expect(judged(session)).toEqual({})
  }
})

test.for([
  ['https://api.anthropic.com/v1/messages', {}],
  ['https://api.openai.com/v1/responses', { input: 'Name it' }],
] as const)('a format of one choice gets the first: %s', ([url, more]) => {
  const session = sessionOf(TRACES.OpenTelemetry!)
  expect(ask(session, more, url)).toBe('Call it Ada.')
  expect(judged(session)).toEqual({})
})

test('names what is not known of choices', () => {
  const notHeld = (attributes: Record<string, JsonValue>): ModelCall['notHeld'] =>
    callOf({ attributes }).notHeld.filter((part) => part === 'choices' || part === 'count')
  expect(notHeld(TRACES.OpenTelemetry!)).toEqual([])
  expect(notHeld(TRACES.Traceloop!)).toEqual(['count'])
  expect(notHeld(chatOf('Hi', 'Hello', { 'gen_ai.request.choice.count': 2 }))).toEqual(['choices'])
  expect(notHeld(chatOf('Hi', 'Hello', { 'gen_ai.request.choice.count': 1 }))).toEqual([])
})

test.for<[parameters: JsonObject, count: number | undefined]>([
  [{}, undefined],
  [{ temperature: 1 }, undefined],
  [{ n: 2 }, 2],
  [{ candidate_count: 2 }, 2],
  [{ 'choice.count': 2 }, 2],
  [{ generationConfig: { candidateCount: 2 } }, 2],
  [{ config: { candidateCount: 2 } }, 2],
])('the number of choices in %j', ([parameters, count]) => {
  expect(choicesAsked(parameters)).toBe(count)
})

test('the items of a response of OpenAI are no choices', () => {
  const { answer } = callOf({
    attributes: { ...TRACES.OpenInference!, 'input.value': '{"input":"Name it"}' },
  })
  expect(answer.otherChoices).toBeUndefined()
  expect(answer.tool_calls).toHaveLength(1)
})

test('a conversation can go on with another choice than the first', () => {
  const goneOn = chatOf(
    [
      { role: 'user', parts: [{ type: 'text', content: 'Name it' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'I will look.' },
          { type: 'tool_call', ...CALL },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: CALL.id, response: 'Bob' }] },
    ],
    'Bob it is.',
  )
  const trace = traceOf(
    otlpOf([
      { id: 'a', attributes: TRACES.OpenTelemetry! },
      { id: 'b', attributes: goneOn },
    ]),
  )
  // The calls that the next prompt repeats are those of the other choice.
  expect(trace.calls[0]!.answer).toMatchObject({ text: 'Call it Ada.' })
  expect(trace.calls[0]!.answer.tool_calls).toBeUndefined()
  const session = openExample(cassetteOfTrace(trace, 'a.test.ts > asks', { now: new Date() }))
  expect(ask(session, { n: 2 })).toBe('Call it Ada.')
  const called = { name: CALL.name, arguments: JSON.stringify(CALL.arguments) }
  const messages: JsonObject[] = [
    ...ASKED.messages,
    {
      role: 'assistant',
      content: 'I will look.',
      tool_calls: [{ id: CALL.id, type: 'function', function: called }],
    },
    { role: 'tool', tool_call_id: CALL.id, content: 'Bob' },
  ]
  expect(ask(session, { messages })).toBe('Bob it is.')
  expect(judged(session)).toEqual({})
})

test('the results of tools that a tracer writes behind an answer are no choices', () => {
  const { answer } = callOf({
    attributes: {
      ...TRACES.OpenInference!,
      'llm.output_messages.2.message.role': 'tool',
      'llm.output_messages.2.message.content': 'Bob',
    },
  })
  expect(answer.otherChoices).toHaveLength(1)
})

test('choices stand in the order of their numbers', () => {
  const choice = (index: number, content: string): JsonObject => ({ index, message: { content } })
  const { answer } = callOf({
    attributes: {
      ...TRACES.OpenInference!,
      'output.value': JSON.stringify({ choices: [choice(1, 'B'), choice(0, 'A')] }),
    },
  })
  expect([answer.text, answer.otherChoices]).toEqual(['A', [{ text: 'B' }]])
})

test('credentials in a further choice are replaced', () => {
  const key = `sk-proj-${'aB3dE5gH7jK9mN1pQ3sT'.repeat(3)}`
  const attributes = {
    ...TRACES.Traceloop!,
    'gen_ai.completion.1.content': `The key is ${key}, write to ada@analytical.org`,
  }
  const trace = traceOf(otlpOf([{ id: 'a', attributes }]))
  const made = makeTraceCassette(trace, 'a.test.ts > asks', { env: {}, now: new Date() })
  expect(JSON.stringify(made.cassette)).not.toContain(key)
  expect(made.personal).toEqual(findPersonal('ada@analytical.org'))
  expect(made.personal).toMatchObject([{ text: 'ada@analytical.org' }])
})

test('LangChain’s generations of one prompt are choices, and those of a batch are not', () => {
  const generation = (text: string): JsonObject => ({ text, generationInfo: {} })
  const others = (generations: JsonValue): unknown =>
    callOf({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.content': 'Hi',
        'output.value': JSON.stringify({ generations }),
      },
    }).answer.otherChoices
  expect(others([[generation('A'), generation('B')]])).toEqual([{ text: 'B' }])
  expect(others([[generation('A')], [generation('B')]])).toBeUndefined()
})
