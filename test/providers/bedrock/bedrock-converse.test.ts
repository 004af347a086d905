import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bedrockConverse } from '../../../src/providers/bedrock/bedrock-converse.ts'
import { dialectOf } from '../../../src/providers/dialects.ts'
import { isProviderPath } from '../../../src/providers/provider-paths.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import { converseSample } from '../samples/bedrock-converse.ts'
import { PIXEL } from '../samples/sample.ts'
import { answer, frames, requestTo, streamOfFrames } from '../wire.ts'

const promptOf = (body: JsonObject) =>
  bedrockConverse.readPrompt(requestTo(converseSample.url, body))
const partsOf = (...content: JsonValue[]) =>
  promptOf({ messages: [{ role: 'user', content }] }).messages[0]!.parts
const read = (body: JsonObject) => bedrockConverse.readCompletion(answer(body))

test('reads a whole conversation', () => {
  expect(promptOf(converseSample.body)).toEqual({
    provider: 'aws.bedrock',
    operation: 'chat',
    model: 'us.amazon.nova-lite-v1:0',
    parameters: {
      maxTokens: 64,
      temperature: 0,
      guardrailConfig: { guardrailIdentifier: 'g1', guardrailVersion: '1' },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      toolConfig: { toolChoice: { auto: {} } },
    },
    messages: [
      {
        role: 'system',
        parts: [{ type: 'text', text: 'You plan picnics.' }],
        extra: { 'content[1].cachePoint': { type: 'default' } },
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
          { type: 'uri', uri: 's3://b/v' },
          { type: 'blob', mimeType: 'application/pdf', hash: sha256('JVBERi0='), size: 5 },
          {
            type: 'other',
            value: { document: { format: 'txt', name: 'Fires', source: { text: 'No fires.' } } },
          },
          {
            type: 'other',
            value: { guardContent: { text: { text: 'Be kind.', qualifiers: ['query'] } } },
          },
        ],
        extra: {
          'content[2].video.format': 'mp4',
          'content[2].video.source.s3Location.bucketOwner': '1',
          'content[3].document.name': 'Rules',
          'content[6].cachePoint': { type: 'default' },
        },
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'A forecast helps.' },
          { type: 'other', value: { reasoningContent: { redactedContent: 'cmVk' } } },
          { type: 'text', text: 'It rains.' },
          { type: 'tool_call', id: 'tooluse_1', name: 'weather', arguments: { city: 'Ulm' } },
          { type: 'tool_call', id: 'tooluse_2', name: 'look', arguments: { at: 'lawn' } },
        ],
        extra: {
          'content[0].reasoningContent.reasoningText.signature': 'c2ln',
          'content[2].citationsContent.citations': [{ title: 'A' }],
        },
      },
      {
        role: 'user',
        parts: [
          { type: 'tool_call_response', id: 'tooluse_1', result: { sky: 'sunny' } },
          {
            type: 'tool_call_response',
            id: 'tooluse_2',
            result: [
              'green',
              { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
        extra: { 'content[0].toolResult.status': 'success' },
      },
    ],
    tools: [
      {
        name: 'weather',
        description: 'The weather.',
        parameters: expect.objectContaining({ type: 'object' }),
        extra: { 'toolSpec.strict': true },
      },
      { name: 'nova_grounding', extra: { systemTool: { name: 'nova_grounding' } } },
      { name: 'cachePoint', extra: { cachePoint: { type: 'default' } } },
    ],
  })
})

test('a hint to the cache makes no old message new', () => {
  const text = { text: 'Hi.' }
  expect(partsOf(text, { cachePoint: { type: 'default' } })).toEqual(partsOf(text))
})

test('reads the result of a tool that is one text', () => {
  const toolResult = { toolUseId: 't1', content: [{ text: 'sunny' }] }
  expect(partsOf({ toolResult })).toEqual([
    { type: 'tool_call_response', id: 't1', result: 'sunny' },
  ])
})

test('counts cached tokens among the input tokens', () => {
  const usage = { inputTokens: 6, outputTokens: 2, cacheReadInputTokens: 14921 }
  expect(read({ output: {}, usage }).usage).toEqual({
    inputTokens: 14927,
    outputTokens: 2,
    cacheReadInputTokens: 14921,
  })
})

test.each(['message', 'Message'])('reads the %s of a refusal', (field) => {
  const refusal = answer({ [field]: 'You have no access.' }, 403)
  expect(bedrockConverse.readCompletion(refusal)).toEqual({
    text: '',
    toolCalls: [],
    finishReasons: [],
    error: 'You have no access.',
  })
})

test.each([
  ['/model/anthropic.claude-v2/converse', true],
  ['/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.x/converse-stream', true],
  ['/model/anthropic.claude-v2/invoke', true],
  ['/model/anthropic.claude-v2/invoke-with-response-stream', true],
  ['/model/converse', false],
  ['/models/7/converse', false],
  ['/model/anthropic.claude-v2/converse/7', false],
])('%s on a host of unknown kind may be an LLM call: %s', (path, may) => {
  expect(isProviderPath('POST', new URL(`http://localhost:3000${path}`))).toBe(may)
})

test('leaves a web application its own words', () => {
  for (const body of [{}, { messages: 'hi' }, { messages: [{ text: 'hi' }] }]) {
    const request = requestTo('http://localhost/model/7/converse', body)
    expect(dialectOf(request).name).toBe('generic')
  }
})

test('names the model that an encoded path names', () => {
  const arn = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.x'
  const url = `https://bedrock-runtime.us-east-1.amazonaws.com/model/${encodeURIComponent(arn)}/converse`
  expect(bedrockConverse.readPrompt(requestTo(url, converseSample.body)).model).toBe(arn)
  const odd = url.replace(encodeURIComponent(arn), '%zz')
  expect(bedrockConverse.readPrompt(requestTo(odd, converseSample.body)).model).toBe('%zz')
})

test('reads any frames without throwing', () => {
  const names = ['contentBlockStart', 'contentBlockDelta', 'messageStop', 'metadata', 'chunk']
  const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>
  const inner = fc.dictionary(
    fc.constantFrom('text', 'toolUse', 'reasoningContent', 'input', 'name'),
    fc.oneof(value, fc.constant({ input: '{', text: 7, name: 'x' })),
  ) as fc.Arbitrary<JsonObject>
  const data = fc.record({
    contentBlockIndex: value,
    delta: fc.oneof(inner, value),
    start: fc.oneof(inner, value),
    stopReason: value,
    usage: value,
    bytes: value,
  })
  const event = fc.tuple(fc.constantFrom(...names), data) as fc.Arbitrary<[string, JsonObject]>
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 6 }), (events) => {
      const { text, toolCalls } = bedrockConverse.readCompletion(
        streamOfFrames(...frames(...events)),
      )
      expect(text).toBeTypeOf('string')
      expect(toolCalls.every(({ name }) => typeof name === 'string')).toBe(true)
    }),
  )
})
