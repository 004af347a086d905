import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import { reasonsOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, jsonObject, listsIn, objectOf, stringOf, stringsIn } from '../fields.ts'
import { messageOf, unknownMessage } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'
import { readCohereUsage, writeCohereUsage } from './cohere-usage.ts'

/** Cohere's chat, in its first version: a message, and the history before it. */
export const cohereChatV1: Dialect = {
  name: 'cohere-chat-v1',

  claims(request) {
    return isSentTo(request, '/v1/chat') && typeof bodyOf(request).message === 'string'
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { preamble, chat_history: history, message, tools } = body
    const read = [
      ...stringsIn(body, 'preamble', 'message'),
      ...listsIn(body, 'chat_history', 'tools'),
    ]
    return {
      ...readEnvelope(request, 'chat', read),
      messages: [
        ...(typeof preamble === 'string' ? [messageOf('system', preamble)] : []),
        ...arrayOf(history).map(readTurn),
        ...(typeof message === 'string' ? [messageOf('user', message)] : []),
      ],
      tools: arrayOf(tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: write,
}

const ROLES: Record<string, string> = {
  USER: 'user',
  CHATBOT: 'assistant',
  SYSTEM: 'system',
  TOOL: 'tool',
}

function readTurn(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const rest = new Remainder()
  const said = stringOf(value.role) ?? 'unknown'
  const text = stringOf(value.message)
  rest.keep('', value, stringsIn(value, 'role', 'message'))
  const role = Object.hasOwn(ROLES, said) ? ROLES[said]! : said
  return { role, parts: text === undefined ? [] : [{ type: 'text', text }], ...rest.extra }
}

function read(body: JsonObject): Completion {
  return {
    text: stringOf(body.text) ?? '',
    toolCalls: arrayOf(body.tool_calls)
      .map(objectOf)
      .flatMap(({ name, parameters }) =>
        typeof name === 'string' ? [{ name, arguments: parameters ?? {} }] : [],
      ),
    finishReasons: reasonsOf(body.finish_reason),
    usage: readCohereUsage(body.meta),
  }
}

/** Its last event repeats the whole answer. */
function join(events: AnswerEvent[]): JoinedAnswer {
  let text = ''
  let calls: JsonValue = []
  let ending: JsonObject | undefined
  for (const { data } of events) {
    if (data.event_type === 'text-generation') text += stringOf(data.text) ?? ''
    if (data.event_type === 'tool-calls-generation') calls = data.tool_calls ?? []
    if (data.event_type === 'stream-end') ending = data
  }
  const { finish_reason = null, response } = ending ?? {}
  const said = { text, tool_calls: calls, finish_reason }
  return { body: { ...said, ...objectOf(response) }, whole: ending !== undefined }
}

function write(completion: Completion, request: WireRequest): WireResponse {
  const { text, toolCalls, finishReasons, usage, incomplete } = completion
  const calls = toolCalls.map(({ name, arguments: parameters }) => ({ name, parameters }))
  const reason = finishReasons[0] ?? (incomplete ? undefined : 'COMPLETE')
  const fail = (message: string): JsonObject => ({ message, error: { message } })
  const whole = jsonObject({
    text,
    generation_id: '00000000-0000-0000-0000-000000000000',
    tool_calls: calls.length > 0 ? calls : undefined,
    finish_reason: reason,
    meta: usage && writeCohereUsage(usage),
  })
  if (bodyOf(request).stream !== true) return writeAnswer(completion, { whole }, fail)
  const event = (event_type: string, fields: JsonObject): JsonObject => ({
    is_finished: event_type === 'stream-end',
    event_type,
    ...fields,
  })
  const lines = [
    event('stream-start', { generation_id: whole.generation_id! }),
    ...splitWords(text).map((piece) => event('text-generation', { text: piece })),
    ...(calls.length > 0 ? [event('tool-calls-generation', { tool_calls: calls })] : []),
    ...(reason === undefined
      ? []
      : [event('stream-end', { finish_reason: reason, response: whole })]),
  ]
  return writeAnswer(completion, { lines }, fail)
}
