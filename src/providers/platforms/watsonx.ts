import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import {
  errorMessage,
  readAnswer,
  type AnswerEvent,
  type JoinedAnswer,
} from '../kit/read-answer.ts'
import { describeEmbeddings, makeUpEmbeddings } from '../kit/describe-embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { readEmbeddedInput } from '../kit/embedded-input.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import {
  arrayOf,
  counted,
  jsonObject,
  known,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  flatten,
} from '../fields.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { openaiChatFormat } from '../openai/openai-chat.ts'
import { writeChatAnswer } from '../openai/openai-chat-write.ts'
import { readOpenAiMessage } from '../openai/openai-messages.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'

const PATH = /\/ml\/v1\/(?:deployments\/[^/]+\/)?text\/(chat|generation|embeddings)(_stream)?\/?$/

/** The finish reason of an answer that has not ended yet. */
const GOES_ON = 'not_finished'

/** IBM's watsonx: chats like OpenAI's, texts, and embeddings. */
export const watsonx: Dialect = {
  name: 'watsonx',

  claims(request) {
    const { messages, input, inputs } = bodyOf(request)
    const asks =
      typeof input === 'string' || [messages, inputs].some((list) => arrayOf(list).length > 0)
    return request.method === 'POST' && targetOf(request) !== undefined && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const isEmbedding = targetOf(request)?.kind === 'embeddings'
    const said = isEmbedding ? 'inputs' : 'input'
    const lists = listsIn(body, 'messages', 'tools')
    const isChat = lists.includes('messages')
    const name = stringOf(body.model_id)
    const messages = isChat
      ? arrayOf(body.messages).map(readOpenAiMessage)
      : readEmbeddedInput(body[said])
    const read = [
      ...lists,
      ...(isChat || messages.length === 0 ? [] : [said]),
      ...(name ? ['model_id'] : []),
    ]
    const operation = isEmbedding ? 'embeddings' : isChat ? 'chat' : 'text_completion'
    const envelope = readEnvelope(request, operation, read)
    return {
      ...(name ? { model: name } : {}),
      ...envelope,
      parameters: flatten(envelope.parameters, 'parameters'),
      messages,
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: write,
}

function targetOf(request: WireRequest): { kind: string; streams: boolean } | undefined {
  const [, kind, streams] = PATH.exec(pathOf(request)) ?? []
  return kind === undefined ? undefined : { kind, streams: streams !== undefined }
}

function read(body: JsonObject): Completion {
  const [failure] = arrayOf(body.errors)
  const error = failure === undefined ? undefined : errorMessage(failure)
  if (Array.isArray(body.choices))
    return { ...openaiChatFormat.read(body), ...(error ? { error } : {}) }
  const results = arrayOf(body.results).map(objectOf)
  const [first = {}] = results
  const vectors = results.flatMap(({ embedding }) => (embedding === undefined ? [] : [embedding]))
  return {
    text:
      results.flatMap(({ generated_text: text }) => stringOf(text) ?? []).join('\n\n') ||
      describeEmbeddings(vectors),
    toolCalls: [],
    finishReasons: results.flatMap(({ stop_reason: reason }) =>
      reason === GOES_ON ? [] : (stringOf(reason) ?? []),
    ),
    usage: counted({
      inputTokens: numberOf(first.input_token_count, body.input_token_count),
      outputTokens: numberOf(first.generated_token_count),
    }),
    error,
  }
}

function join(events: AnswerEvent[]): JoinedAnswer {
  if (events.some(({ data }) => Array.isArray(data.choices))) return openaiChatFormat.join!(events)
  let generated_text = ''
  let counted: JsonObject = {}
  for (const { data } of events) {
    const piece = objectOf(arrayOf(data.results)[0])
    generated_text += stringOf(piece.generated_text) ?? ''
    counted = { ...counted, ...known(piece) }
  }
  const reason = stringOf(counted.stop_reason)
  const errors = events.flatMap(({ data }) => arrayOf(data.errors))
  return {
    body: { results: [{ ...counted, generated_text }], ...(errors.length > 0 ? { errors } : {}) },
    whole: reason !== undefined && reason !== GOES_ON,
  }
}

function write(completion: Completion, request: WireRequest): WireResponse {
  const { kind, streams } = targetOf(request) ?? { kind: 'chat', streams: false }
  const { model_id = '', inputs } = bodyOf(request)
  if (kind === 'chat') {
    const value = { ...bodyOf(request), model: model_id, stream: streams }
    return writeChatAnswer(completion, { ...request, body: { kind: 'json', value, layout: {} } })
  }
  const { text, usage, finishReasons, incomplete } = completion
  const fail = (message: string): JsonObject => ({
    errors: [{ code: 'invalid_request_entity', message }],
    error: { message },
  })
  if (kind === 'embeddings') {
    const results = makeUpEmbeddings(text, arrayOf(inputs).length).map((embedding) => ({
      embedding,
    }))
    const whole = jsonObject({ model_id, results, input_token_count: usage?.inputTokens })
    return writeAnswer(completion, { whole }, fail)
  }
  const result = (generated_text: string, stop_reason: string): JsonObject =>
    jsonObject({
      generated_text,
      generated_token_count: usage?.outputTokens,
      input_token_count: usage?.inputTokens,
      stop_reason,
    })
  const reason = finishReasons[0] ?? (incomplete ? GOES_ON : 'eos_token')
  if (!streams)
    return writeAnswer(completion, { whole: { model_id, results: [result(text, reason)] } }, fail)
  const pieces = [...splitWords(text).map((piece) => result(piece, GOES_ON)), result('', reason)]
  const events = pieces.map((piece) => ({ event: 'message', data: { model_id, results: [piece] } }))
  return writeAnswer(completion, { events }, fail)
}
