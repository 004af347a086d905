import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest } from '../../wire/message.ts'
import { errorMessage, readAnswer } from '../kit/read-answer.ts'
import { completionOf, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, pathOf, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, listsIn, objectOf, stringOf } from '../fields.ts'
import { joinResponseEvents } from './openai-response-events.ts'
import { readResponseInput, readResponseItem } from './openai-response-items.ts'
import { writeResponsesPrompt } from './openai-prompt-write.ts'
import { writeResponsesAnswer } from './openai-responses-write.ts'
import { readOpenAiTool } from './openai-tools.ts'
import { readOpenAiUsage } from './openai-usage.ts'

const POLLED = /\/(?:v\d+\w*|openai|codex)\/responses\/[^/]+$/

/** OpenAI's responses. */
export const openaiResponses: Dialect = {
  name: 'openai-responses',

  claims(request) {
    if (isPoll(request)) return true
    if (!isSentTo(request, '/responses') && !isCompaction(request)) return false
    const { model, input, prompt, previous_response_id: previous } = bodyOf(request)
    // A stored prompt has a model of its own; a request that continues a response may have no input.
    if (isJsonObject(prompt)) return typeof prompt.id === 'string'
    const asks = typeof input === 'string' || Array.isArray(input) || typeof previous === 'string'
    return typeof model === 'string' && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { messages, read } = readResponseInput(body)
    const lists = listsIn(body, 'tools')
    const envelope = readEnvelope(request, operationOf(request), [...read, ...lists])
    return { ...envelope, messages, tools: arrayOf(body.tools).map(readOpenAiTool) }
  },

  readCompletion: (response) =>
    readAnswer(response, { read: readResponse, join: joinResponseEvents }),

  writePrompt: writeResponsesPrompt,

  writeCompletion(completion, request) {
    const written = writeResponsesAnswer(completion, request)
    const { body } = written
    if (!isCompaction(request) || body.kind !== 'json' || written.status >= 400) return written
    // A compaction has no status.
    const { status: _, incomplete_details: __, ...value } = objectOf(body.value)
    return { ...written, body: { ...body, value: { ...value, object: 'response.compaction' } } }
  },
}

function operationOf(request: WireRequest): string {
  return isPoll(request) ? 'retrieve' : isCompaction(request) ? 'compact' : 'chat'
}

/** Whether a request compacts a conversation. */
function isCompaction(request: WireRequest): boolean {
  return isSentTo(request, '/responses/compact')
}

/** Whether a request polls a response that is made in the background. */
function isPoll(request: WireRequest): boolean {
  return request.method === 'GET' && request.body.kind === 'empty' && POLLED.test(pathOf(request))
}

/** Reads a whole response, or one joined from its events. */
export function readResponse(body: JsonObject): Completion {
  const messages = arrayOf(body.output).map(readResponseItem)
  const parts = messages.flatMap((message) => message.parts)
  const reason = stringOf(objectOf(body.incomplete_details).reason) ?? body.status
  return {
    ...completionOf(parts, reason),
    text: messages
      .map(({ parts }) => textIn(parts))
      .filter(Boolean)
      .join('\n\n'),
    usage: readOpenAiUsage(body.usage),
    error: errorMessage(body.error ?? objectOf(body.status_details).error),
  }
}
