import { expect, test } from 'vitest'
import { callOf, callsOf, otlpOf, printed } from './spans.ts'

test('OpenInference: messages as attributes in a row', () => {
  const call = callOf({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'openai',
      'llm.model_name': 'gpt-9',
      'llm.invocation_parameters': '{"temperature":0.5,"stream":true}',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'Weather?',
      'llm.input_messages.2.message.role': 'assistant',
      'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'weather',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"city":"Paris"}',
      'llm.input_messages.3.message.role': 'tool',
      'llm.input_messages.3.message.tool_call_id': 'c1',
      'llm.input_messages.3.message.content': 'rainy',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Rainy.',
      'llm.finish_reason': 'stop',
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}',
      'llm.token_count.prompt': 7,
      'llm.token_count.completion': 2,
    },
  })
  expect(printed(call)).toEqual([
    'system: Be brief.',
    'user: Weather?',
    'assistant: weather({"city":"Paris"})',
    'result: rainy',
  ])
  expect(call).toMatchObject({
    emitter: 'OpenInference',
    streamed: true,
    prompt: {
      model: 'gpt-9',
      tools: [{ name: 'weather', parameters: { type: 'object' } }],
      parameters: { temperature: 0.5 },
    },
    answer: {
      text: 'Rainy.',
      finish_reasons: ['stop'],
      usage: { input_tokens: 7, output_tokens: 2 },
    },
  })
})

test('OpenInference: the whole request, where the SDK’s is there, so that what is absent was not asked', () => {
  const body = {
    model: 'claude-9',
    max_tokens: 9,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'rainy' },
          { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'sunny' }] },
        ],
      },
    ],
  }
  const call = callOf({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'claude-9-2026',
      'input.value': JSON.stringify(body),
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'sunny',
      'output.value': 'Both.',
    },
  })
  expect(printed(call)).toEqual(['result: rainy', 'result: sunny'])
  expect(call).toMatchObject({
    prompt: { model: 'claude-9', parameters: { max_tokens: 9 }, isWhole: true },
    answer: { text: 'Both.' },
    streamed: false,
    notHeld: [],
  })
})

test('OpenInference: retrievers, embeddings and chains are no calls', () => {
  const kinds = ['RETRIEVER', 'EMBEDDING', 'CHAIN', 'RERANKER', 'LLM']
  const calls = callsOf(
    otlpOf(
      kinds.map((kind) => ({
        id: kind.slice(0, 4),
        attributes: { 'openinference.span.kind': kind, 'input.value': 'Hi', 'output.value': kind },
      })),
    ),
  )
  expect(calls.map(({ answer }) => answer.text)).toEqual(['LLM'])
})

const doGenerate = {
  'ai.operationId': 'ai.generateText.doGenerate',
  'ai.model.provider': 'openai.responses',
  'ai.model.id': 'gpt-9',
}

test.for([
  ['4', { toolCallType: 'function', args: '{"city":"Paris"}' }, 'parameters', 'args'],
  ['5', { input: '{"city":"Paris"}' }, 'inputSchema', 'input'],
])('the AI SDK, version %s', ([, given, schema, input]) => {
  const call = callOf({
    attributes: {
      ...doGenerate,
      'ai.settings.temperature': 0.5,
      'ai.settings.maxOutputTokens': 9,
      'ai.prompt.messages': JSON.stringify([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            {
              type: 'tool-call',
              toolCallId: 'c0',
              toolName: 'weather',
              [input as string]: { city: 'Rome' },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c0',
              toolName: 'weather',
              output: { type: 'json', value: { sky: 'blue' } },
            },
          ],
        },
      ]),
      'ai.prompt.tools': [
        JSON.stringify({
          type: 'function',
          name: 'weather',
          [schema as string]: { type: 'object' },
        }),
      ],
      'ai.prompt.toolChoice': '{"type":"required"}',
      'ai.response.text': 'Let me see.',
      'ai.response.reasoning': 'Paris now.',
      'ai.response.toolCalls': JSON.stringify([
        { toolCallId: 'c1', toolName: 'weather', ...(given as object) },
      ]),
      'ai.response.finishReason': 'tool-calls',
      'ai.usage.promptTokens': 7,
    },
  })
  expect(printed(call)).toEqual([
    'system: Be brief.',
    'user: Weather?',
    'assistant thinks: Hm.',
    'assistant: weather({"city":"Rome"})',
    'result: {"sky":"blue"}',
  ])
  expect(call).toMatchObject({
    emitter: 'the AI SDK',
    dialect: 'openai-responses',
    streamed: false,
    prompt: {
      provider: 'openai',
      tools: [{ name: 'weather', parameters: { type: 'object' } }],
      parameters: { temperature: 0.5, max_tokens: 9, tool_choice: { type: 'required' } },
    },
    answer: {
      text: 'Let me see.',
      reasoning: 'Paris now.',
      tool_calls: [{ id: 'c1', tool_name: 'weather', parameters: { city: 'Paris' } }],
      finish_reasons: ['tool-calls'],
      usage: { input_tokens: 7 },
    },
    notHeld: [],
  })
})

test('the AI SDK: the span around the steps is none of them, and names the agent', () => {
  const prompt = {
    'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
  }
  const calls = callsOf(
    otlpOf([
      {
        id: 'outer',
        name: 'ai.streamText',
        attributes: {
          'ai.operationId': 'ai.streamText',
          'ai.telemetry.functionId': 'refunds',
          'ai.prompt': '{"prompt":"Hi"}',
          'ai.response.text': 'Hello',
        },
      },
      {
        id: 'inner',
        parent: 'outer',
        attributes: {
          ...doGenerate,
          ...prompt,
          'ai.operationId': 'ai.streamText.doStream',
          'ai.response.text': 'Hello',
        },
      },
    ]),
  )
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({ streamed: true, thread: { name: 'refunds' } })
})

test('the AI SDK: an object is the text of its JSON', () => {
  const { answer } = callOf({ attributes: { ...doGenerate, 'ai.response.object': '{"a":1}' } })
  expect(answer.text).toBe('{"a":1}')
})

test('Langfuse’s SDK: observations in the attributes of spans', () => {
  const call = callOf({
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-9',
      'langfuse.observation.model.parameters': '{"temperature":0.5,"stream":true}',
      'langfuse.observation.input': '{"messages":[{"role":"user","content":"Hi"}],"tools":[]}',
      'langfuse.observation.output': '{"role":"assistant","content":"Hello"}',
      'langfuse.observation.usage_details': '{"input":7,"output":2}',
    },
  })
  expect(printed(call)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    emitter: 'Langfuse',
    streamed: true,
    prompt: { parameters: { temperature: 0.5 }, tools: [] },
    answer: { text: 'Hello', usage: { input_tokens: 7, output_tokens: 2 } },
  })
})
