import type { JsonObject } from '../../../src/json/json-value.ts'
import { frames } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const MODEL = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-lite-v1%3A0'

const USAGE: JsonObject = {
  inputTokens: 12,
  cacheReadInputTokens: 100,
  cacheWriteInputTokens: 8,
  outputTokens: 40,
  totalTokens: 160,
}

/** A picnic, planned over Bedrock's Converse. */
export const converseSample: Sample = {
  dialect: 'bedrock-converse',
  url: `${MODEL}/converse-stream`,
  body: {
    inferenceConfig: { maxTokens: 64, temperature: 0 },
    guardrailConfig: { guardrailIdentifier: 'g1', guardrailVersion: '1' },
    additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    system: [{ text: 'You plan picnics.' }, { cachePoint: { type: 'default' } }],
    messages: [
      {
        role: 'user',
        content: [
          { text: 'Is this lawn dry?' },
          { image: { format: 'png', source: { bytes: PIXEL } } },
          {
            video: { format: 'mp4', source: { s3Location: { uri: 's3://b/v', bucketOwner: '1' } } },
          },
          { document: { format: 'pdf', name: 'Rules', source: { bytes: 'JVBERi0=' } } },
          { document: { format: 'txt', name: 'Fires', source: { text: 'No fires.' } } },
          { guardContent: { text: { text: 'Be kind.', qualifiers: ['query'] } } },
          { cachePoint: { type: 'default' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'A forecast helps.', signature: 'c2ln' } } },
          { reasoningContent: { redactedContent: 'cmVk' } },
          { citationsContent: { content: [{ text: 'It rains.' }], citations: [{ title: 'A' }] } },
          { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } },
          { toolUse: { toolUseId: 'tooluse_2', name: 'look', input: { at: 'lawn' } } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            toolResult: {
              toolUseId: 'tooluse_1',
              content: [{ json: { sky: 'sunny' } }],
              status: 'success',
            },
          },
          {
            toolResult: {
              toolUseId: 'tooluse_2',
              content: [{ text: 'green' }, { image: { format: 'png', source: { bytes: PIXEL } } }],
            },
          },
          { text: 'And?' },
        ],
      },
    ],
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'weather',
            description: 'The weather.',
            inputSchema: { json: WEATHER },
            strict: true,
          },
        },
        { systemTool: { name: 'nova_grounding' } },
        { cachePoint: { type: 'default' } },
      ],
      toolChoice: { auto: {} },
    },
  },
  plain: {
    metrics: { latencyMs: 700 },
    output: {
      message: {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Sunny means dry.', signature: 'c2ln' } } },
          { text: 'It is dry. Bring a hat.' },
          { toolUse: { toolUseId: 'tooluse_3', name: 'weather', input: { city: 'Ulm' } } },
          { toolUse: { toolUseId: 'tooluse_4', name: 'now', input: {} } },
        ],
      },
    },
    stopReason: 'tool_use',
    usage: USAGE,
  },
  frames: true,
  events: frames(
    ['messageStart', { p: 'abcd', role: 'assistant' }],
    delta(0, { reasoningContent: { text: 'Sunny ' } }),
    delta(0, { reasoningContent: { text: 'means dry.' } }),
    delta(0, { reasoningContent: { signature: 'c2ln' } }),
    ['contentBlockStop', { contentBlockIndex: 0 }],
    delta(1, { text: 'It is dry. ' }),
    delta(1, { text: 'Bring a hat.' }),
    ['contentBlockStop', { contentBlockIndex: 1 }],
    start(2, { toolUse: { toolUseId: 'tooluse_3', name: 'weather' } }),
    delta(2, { toolUse: { input: '{"city":' } }),
    start(3, { toolUse: { toolUseId: 'tooluse_4', name: 'now' } }),
    delta(3, { toolUse: { input: '' } }),
    delta(2, { toolUse: { input: '"Ulm"}' } }),
    ['contentBlockStop', { contentBlockIndex: 2 }],
    ['messageStop', { stopReason: 'tool_use' }],
    ['metadata', { metrics: { latencyMs: 700 }, usage: USAGE }],
  ),
  afterEnd: 1,
  unstreamed: { url: `${MODEL}/converse` },
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'tooluse_3', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'tooluse_4', name: 'now', arguments: {} },
    ],
    finishReasons: ['tool_use'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      cacheCreationInputTokens: 8,
    },
  },
}

function start(contentBlockIndex: number, value: JsonObject): [string, JsonObject] {
  return ['contentBlockStart', { contentBlockIndex, start: value }]
}

function delta(contentBlockIndex: number, value: JsonObject): [string, JsonObject] {
  return ['contentBlockDelta', { contentBlockIndex, delta: value, p: 'abc' }]
}
