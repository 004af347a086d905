import { expect, test } from 'vitest'
import { callOf, callsOf, chatOf, otlpOf, printed } from './spans.ts'

test('reads a call in the conventions of today', () => {
  const call = callOf({
    name: 'chat gpt-9',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'azure.ai.openai',
      'gen_ai.request.model': 'gpt-9',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: 'How is it in Paris?' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'I need the weather.' },
            { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rainy' }] },
      ]),
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"Rainy."}],"finish_reason":"stop"}]',
      'gen_ai.tool.definitions':
        '[{"type":"function","name":"weather","description":"Tells it","parameters":{"type":"object"}}]',
    },
  })
  expect(printed(call)).toEqual([
    'system: Be brief.',
    'user: How is it in Paris?',
    'assistant thinks: I need the weather.',
    'assistant: weather({"city":"Paris"})',
    'result: rainy',
  ])
  expect(call).toMatchObject({
    name: 'chat gpt-9',
    start: '2023-11-14T22:13:20.000000000Z',
    durationMs: 500,
    dialect: 'openai-chat',
    prompt: {
      provider: 'azure.ai.openai',
      operation: 'chat',
      model: 'gpt-9',
      parameters: { temperature: 0.5, max_tokens: 100, stop_sequences: ['END'] },
      tools: [{ name: 'weather', description: 'Tells it', parameters: { type: 'object' } }],
    },
    answer: {
      text: 'Rainy.',
      finish_reasons: ['stop'],
      usage: { input_tokens: 7, output_tokens: 2, cache_read_input_tokens: 3 },
    },
    notHeld: [],
    cut: [],
  })
})

test('reads the messages of the event of today', () => {
  const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output } = chatOf('Hi', 'Hello')
  const call = callOf({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-9' },
    events: [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: { 'gen_ai.input.messages': input!, 'gen_ai.output.messages': output! },
      },
    ],
  })
  expect(printed(call)).toEqual(['user: Hi'])
  expect(call.answer.text).toBe('Hello')
})

test('reads the events of the older conventions, in their order', () => {
  const call = callOf({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai' },
    events: [
      { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
      { name: 'gen_ai.user.message', attributes: { content: 'Weather?' } },
      {
        name: 'gen_ai.assistant.message',
        attributes: {
          tool_calls:
            '[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Paris\\"}"}}]',
        },
      },
      { name: 'gen_ai.tool.message', attributes: { content: 'rainy', id: 'c1' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'stop', message: '{"content":"Rainy."}' },
      },
    ],
  })
  expect(printed(call)).toEqual([
    'system: Be brief.',
    'user: Weather?',
    'assistant: weather({"city":"Paris"})',
    'result: rainy',
  ])
  expect(call.answer).toEqual({ text: 'Rainy.', finish_reasons: ['stop'] })
})

test('reads the attributes in a row of the oldest conventions', () => {
  const call = callOf({
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-9',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be brief.',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': 'Weather?',
      'gen_ai.prompt.2.role': 'assistant',
      'gen_ai.prompt.2.tool_calls.0.id': 'c1',
      'gen_ai.prompt.2.tool_calls.0.name': 'weather',
      'gen_ai.prompt.2.tool_calls.0.arguments': '{"city":"Paris"}',
      'gen_ai.prompt.3.role': 'tool',
      'gen_ai.prompt.3.content': 'rainy',
      'gen_ai.prompt.3.tool_call_id': 'c1',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'Rainy.',
      'gen_ai.completion.0.finish_reason': 'stop',
      'llm.request.functions.0.name': 'weather',
      'llm.request.functions.0.description': 'Tells it',
      'llm.request.functions.0.parameters': '{"type":"object"}',
      'gen_ai.usage.prompt_tokens': 7,
      'gen_ai.usage.completion_tokens': 2,
    },
  })
  expect(printed(call)).toEqual([
    'system: Be brief.',
    'user: Weather?',
    'assistant: weather({"city":"Paris"})',
    'result: rainy',
  ])
  expect(call.prompt.provider).toBe('openai')
  expect(call.prompt.tools).toEqual([
    { name: 'weather', description: 'Tells it', parameters: { type: 'object' } },
  ])
  expect(call.answer).toEqual({
    text: 'Rainy.',
    finish_reasons: ['stop'],
    usage: { input_tokens: 7, output_tokens: 2 },
  })
})

test('positions of two digits stand behind those of one', () => {
  const messages = Array.from({ length: 12 }, (_, index) => [
    [`gen_ai.prompt.${index}.role`, 'user'],
    [`gen_ai.prompt.${index}.content`, `said ${index}`],
  ]).flat()
  const call = callOf({
    attributes: { ...Object.fromEntries(messages), 'gen_ai.completion.0.content': 'Yes' },
  })
  expect(printed(call)).toEqual(Array.from({ length: 12 }, (_, index) => `user: said ${index}`))
})

test('keeps all choices, the first as the answer', () => {
  const choice = (content: string) => ({
    role: 'assistant',
    parts: [{ type: 'text', content }],
    finish_reason: 'stop',
  })
  const { answer } = callOf({
    attributes: {
      ...chatOf('Hi', ''),
      'gen_ai.output.messages': JSON.stringify([choice('A'), choice('B'), choice('C')]),
    },
  })
  const otherChoices = [{ text: 'B' }, { text: 'C' }]
  expect(answer).toEqual({ text: 'A', finish_reasons: ['stop'], otherChoices })
})

test('names all that a trace lacks', () => {
  const held = { 'gen_ai.request.temperature': 1, 'gen_ai.tool.definitions': '[]' }
  expect(callOf({ attributes: chatOf('Hi', 'Hello') }).notHeld).toEqual([
    'instructions',
    'tools',
    'parameters',
  ])
  expect(callOf({ attributes: chatOf('Hi', 'Hello', held) }).notHeld).toEqual(['instructions'])
  const answered = { ...chatOf('Hi', 'Hello', held), 'gen_ai.response.model': 'gpt-9-2026' }
  delete (answered as Record<string, unknown>)['gen_ai.request.model']
  expect(callOf({ attributes: answered }).notHeld).toEqual(['instructions', 'model'])
  const [image] = callsOf(
    otlpOf([
      {
        id: 'a',
        attributes: chatOf(
          [{ role: 'user', parts: [{ type: 'blob', mime_type: 'image/png' }] }],
          'A cat',
        ),
      },
    ]),
  )
  expect(image!.notHeld).toContain('files')
})

test.for([
  ['429 Rate limit reached', {}, 429, 'Rate limit reached'],
  ['Error: 503 Service Unavailable', {}, 503, 'Service Unavailable'],
  ['boom', { 'http.response.status_code': 500 }, 500, 'boom'],
  ['boom', { 'error.type': 'RateLimitError' }, 429, 'boom'],
  ['400 {"type":"error","error":{"type":"x","message":"Too long"}}', {}, 400, 'Too long'],
  ['Error code: 401 - {"error":{"message":"No key"}}', {}, 401, 'No key'],
  ['connect ECONNREFUSED', {}, undefined, 'connect ECONNREFUSED'],
] as const)('a call that failed with %s', ([error, attributes, status, message]) => {
  const call = callOf({ error, attributes: { ...chatOf('Hi', ''), ...attributes } })
  expect([call.answer.status, call.answer.error]).toEqual([status, message])
  expect(call.notHeld.includes('status')).toBe(status === undefined)
})
