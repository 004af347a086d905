import { messagesSample } from './anthropic-messages.ts'
import { responsesSample } from './openai-responses.ts'
import type { Sample } from './sample.ts'

const COUNTED = {
  dialect: 'token-count',
  completion: {
    text: '120 tokens',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 120 },
  },
}

const { stream: _, ...MESSAGES } = messagesSample.body
const { stream: __, ...RESPONSES } = responsesSample.body

/** The picnic of Anthropic's messages, counted before it is planned. */
export const messagesCountSample: Sample = {
  ...COUNTED,
  url: `${messagesSample.url}/count_tokens`,
  body: MESSAGES,
  plain: { input_tokens: 120 },
}

/** The picnic of responses, counted before it is planned. */
export const responsesCountSample: Sample = {
  ...COUNTED,
  url: `${responsesSample.url}/input_tokens`,
  body: RESPONSES,
  plain: { object: 'response.input_tokens', input_tokens: 120 },
}
