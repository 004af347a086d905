import type { JsonObject } from '../../../src/json/json-value.ts'
import { chunks } from '../wire.ts'
import { messagesSample } from './anthropic-messages.ts'
import type { Sample } from './sample.ts'

const MODELS = 'https://bedrock-runtime.us-east-1.amazonaws.com/model'

const { model: _, stream: __, ...BODY } = messagesSample.body

/** The picnic of Anthropic's messages, planned over Bedrock. */
export const invokeSample: Sample = {
  ...messagesSample,
  dialect: 'bedrock-invoke',
  url: `${MODELS}/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream`,
  body: { anthropic_version: 'bedrock-2023-05-31', ...BODY },
  frames: true,
  events: chunks(...messagesSample.events!.map(dataOf)),
  unstreamed: { url: `${MODELS}/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke` },
}

/** A question to a model whose vendor has a format of its own. */
export const titanSample: Sample = {
  dialect: 'bedrock-invoke',
  url: `${MODELS}/amazon.titan-text-express-v1/invoke-with-response-stream`,
  body: {
    inputText: 'Is this lawn dry?',
    textGenerationConfig: { maxTokenCount: 64, stopSequences: ['|'] },
  },
  plain: {
    inputTextTokenCount: 5,
    results: [
      { tokenCount: 10, outputText: 'It is dry. Bring a hat.', completionReason: 'FINISH' },
    ],
  },
  frames: true,
  events: chunks(
    { outputText: 'It is ', index: 0, inputTextTokenCount: 5 },
    { outputText: 'dry. ', index: 0 },
    {
      outputText: 'Bring a hat.',
      index: 0,
      totalOutputTextTokenCount: 10,
      completionReason: 'FINISH',
      inputTextTokenCount: 5,
      'amazon-bedrock-invocationMetrics': { inputTokenCount: 5, outputTokenCount: 10 },
    },
  ),
  unstreamed: { url: `${MODELS}/amazon.titan-text-express-v1/invoke` },
  completion: {
    text: 'It is dry. Bring a hat.',
    toolCalls: [],
    finishReasons: ['FINISH'],
    usage: { inputTokens: 5, outputTokens: 10 },
  },
}

function dataOf(event: string): JsonObject {
  return JSON.parse(event.slice(event.indexOf('data: ') + 6)) as JsonObject
}
