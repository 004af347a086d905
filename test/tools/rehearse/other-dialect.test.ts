import { expect, test } from 'vitest'
import { isRecorded } from '../../../src/cassette/cassette.ts'
import { dialectOf } from '../../../src/providers/dialects.ts'
import type { Message, Part } from '../../../src/prompt/prompt.ts'
import { addressOfModel, translate } from '../../../src/tools/rehearse/other-dialect.ts'
import { readText } from '../../../src/wire/body.ts'
import type { WireRequest } from '../../../src/wire/message.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { agentWires, chatWire } from '../../conversation/example-wires.ts'
import { expectGolden } from '../../golden.ts'

const CHAT = 'https://api.openai.com/v1/chat/completions'
const MESSAGES = 'https://api.anthropic.com/v1/messages'
const GEMINI =
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent'

const TURNS = [
  { question: 'Where is it?', arguments: { order: 7 }, result: 'lost', answer: 'It is lost.' },
  { question: 'And now?', arguments: { order: 8 }, result: '{"found":true}', answer: 'Found.' },
]

function requestsOf(wire: (typeof agentWires)[number]): WireRequest[] {
  const { exchanges } = recordAgent(wire, TURNS)
  return exchanges.flatMap((exchange) => (isRecorded(exchange) ? [exchange.wire.request] : []))
}

/** What is said, in order, whoever's wire format says it. */
function saidIn(request: WireRequest): unknown[] {
  const { messages } = dialectOf(request).readPrompt(request)
  return messages.flatMap(({ role, parts }: Message) =>
    parts.flatMap((part: Part) => {
      if (part.type === 'text') return part.text === '' ? [] : [[sideOf(role), part.text]]
      if (part.type === 'tool_call') return [['calls', part.name, part.arguments]]
      return part.type === 'tool_call_response' ? [['gives', String(part.result)]] : []
    }),
  )
}

function sideOf(role: string): string {
  if (role === 'developer') return 'system'
  return role === 'model' ? 'assistant' : role
}

function idsIn(request: WireRequest): Array<string | undefined> {
  const { messages } = dialectOf(request).readPrompt(request)
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool_call' || part.type === 'tool_call_response' ? [part.id] : [],
    ),
  )
}

test.for(
  agentWires.flatMap((wire) =>
    [CHAT, MESSAGES].map((address) => [wire.name, address, wire] as const),
  ),
)('a conversation over %s says the same at %s', ([, address, wire]) => {
  for (const request of requestsOf(wire)) {
    const handed = translate(request, 'other', address, undefined)
    if ('why' in handed) throw new Error(handed.why)
    expect(saidIn(handed.request)).toEqual(saidIn(request))
    const { model, tools } = dialectOf(handed.request).readPrompt(handed.request)
    expect(model).toBe('other')
    expect(tools.map(({ name, parameters }) => [name, parameters])).toEqual(
      dialectOf(request)
        .readPrompt(request)
        .tools.map(({ name, parameters }) => [name, parameters]),
    )
  }
})

function gemini(body: object): WireRequest {
  return { method: 'POST', url: GEMINI, body: readText(JSON.stringify(body)) }
}

test('calls without ids are given some, by which their results are found', () => {
  const call = (city: string): object => ({ functionCall: { name: 'weather', args: { city } } })
  const result = { functionResponse: { name: 'weather', response: { is: 'fine' } } }
  const request = gemini({
    contents: [
      { role: 'user', parts: [{ text: 'Rome and Oslo?' }] },
      { role: 'model', parts: [call('Rome'), call('Oslo')] },
      { role: 'user', parts: [result, result] },
    ],
  })
  for (const address of [CHAT, MESSAGES]) {
    const handed = translate(request, 'other', address, undefined)
    if ('why' in handed) throw new Error(handed.why)
    const ids = idsIn(handed.request)
    expect(new Set(ids).size).toBe(2)
    expect(ids.slice(2)).toEqual(ids.slice(0, 2))
  }
})

test.for<[string, object]>([
  ['chat completions', { max_completion_tokens: 9, temperature: 0.5, top_p: 0.25, stop: ['END'] }],
  ['messages', { max_tokens: 9, temperature: 0.5, top_p: 0.25, stop_sequences: ['END'] }],
])('parameters have the names of %s, and a schema its place', ([name, expected]) => {
  const schema = { type: 'object' }
  const request = gemini({
    contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }],
    generationConfig: {
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.25,
      stopSequences: ['END'],
      topK: 3,
    },
  })
  const handed = translate(request, 'other', name === 'messages' ? MESSAGES : CHAT, schema)
  if ('why' in handed || handed.request.body.kind !== 'json') throw new Error('not handed over')
  const { messages: _, model: __, ...value } = handed.request.body.value as Record<string, unknown>
  const format =
    name === 'messages'
      ? { output_config: { format: { type: 'json_schema', schema } } }
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
  expect(value).toEqual({ ...expected, ...format })
})

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAA'

const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PICTURE },
}

const SHOWN: Record<string, object[]> = {
  [CHAT]: [
    { type: 'text', text: 'What is' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
    { type: 'text', text: 'this?' },
  ],
  [MESSAGES]: [{ type: 'text', text: 'What is' }, IMAGE, { type: 'text', text: 'this?' }],
  [GEMINI]: [
    { text: 'What is' },
    { inlineData: { mimeType: 'image/png', data: PICTURE } },
    { text: 'this?' },
  ],
}

test.for(
  Object.keys(SHOWN).flatMap((from) => [CHAT, MESSAGES].map((to): [string, string] => [from, to])),
)('a picture in a prompt of %s is shown at %s, in its place', ([from, to]) => {
  const content = SHOWN[from]!
  const body =
    from === GEMINI
      ? { contents: [{ role: 'user', parts: content }] }
      : { model: 'one', max_tokens: 9, messages: [{ role: 'user', content }] }
  const request = { method: 'POST', url: from, body: readText(JSON.stringify(body)) }
  const handed = translate(request, 'other', to, undefined)
  if ('why' in handed || handed.request.body.kind !== 'json') throw new Error('not handed over')
  expect(handed.request.body.value).toMatchObject({
    messages: [{ role: 'user', content: SHOWN[to] }],
  })
})

test('what a tool gave back with a picture is left out, and no hash of it is sent as a text', async () => {
  const call = { type: 'tool_use', id: 'a', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'a', content: [IMAGE] }
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [result] },
  ]
  const body = readText(JSON.stringify({ model: 'claude', max_tokens: 9, messages }))
  const refused = translate({ method: 'POST', url: MESSAGES, body }, 'other', CHAT, undefined)
  expect(refused).toEqual({ why: expect.any(String) })
  await expectGolden((refused as { why: string }).why, 'file-of-a-tool')
})

const UNTAKEN: Array<[what: string, body: object]> = [
  [
    'application/pdf',
    {
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'application/pdf', data: 'A'.repeat(2_000) } }],
        },
      ],
    },
  ],
  [
    'a tool of the provider',
    { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }], tools: [{ googleSearch: {} }] },
  ],
]

test.for(UNTAKEN)('what another provider does not take is named: %s', async ([what, body]) => {
  const refused = translate(gemini(body), 'other', CHAT, undefined)
  expect(refused).toEqual({ why: expect.any(String) })
  await expectGolden((refused as { why: string }).why, what.replaceAll(/\W/g, '-'))
})

test.for<[model: string, address: string | undefined]>([
  ['claude-sonnet-4-5', MESSAGES],
  ['gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
  ['gpt-6', undefined],
  ['a-model-of-the-house', undefined],
])('the name of a model says where it is at home: %s', ([model, address]) => {
  const [request] = requestsOf(chatWire)
  expect(addressOfModel(request!, model)).toBe(address)
  expect(addressOfModel(request!, model, 'https://llm.example/v1/messages')).toBe(
    'https://llm.example/v1/messages',
  )
})
