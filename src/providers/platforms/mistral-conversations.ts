import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import { readContent, readResult, reasoningIn, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import {
  arrayOf,
  defined,
  known,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  stringsIn,
} from '../fields.ts'
import { messageOf, unknownMessage } from '../kit/messages.ts'
import { providerPaths } from '../provider-paths.ts'
import { Remainder } from '../kit/remainder.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, callId } from '../kit/written-call.ts'
import { chatUsage } from '../openai/openai-chat-write.ts'
import { argumentsOf } from '../openai/openai-messages.ts'
import { readOpenAiPart } from '../openai/openai-parts.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'
import { readOpenAiUsage } from '../openai/openai-usage.ts'

/** Mistral's conversations with its agents and models, which Mistral stores. */
export const mistralConversations: Dialect = {
  name: 'mistral-conversations',

  claims(request) {
    const { inputs } = bodyOf(request)
    const asks = typeof inputs === 'string' || arrayOf(inputs).length > 0
    return (
      request.method === 'POST' &&
      providerPaths['mistral-conversations'].test(pathOf(request)) &&
      asks
    )
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { instructions, inputs } = body
    const texts = stringsIn(body, 'instructions', 'inputs')
    return {
      ...readEnvelope(request, 'chat', [...texts, ...listsIn(body, 'inputs', 'tools')]),
      messages: [
        ...(typeof instructions === 'string' ? [messageOf('system', instructions)] : []),
        ...(typeof inputs === 'string'
          ? [messageOf('user', inputs)]
          : arrayOf(inputs).map(readEntry)),
      ],
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: write,
}

/** One entry of a conversation: a message, a call, or the result of one. */
function readEntry(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const rest = new Remainder()
  const type = stringOf(value.type) ?? 'message.input'
  if (type === 'function.result') {
    rest.keep('', value, ['type', ...stringsIn(value, 'tool_call_id'), 'result'])
    const result = readResult(value.result, readOpenAiPart)
    const id = stringOf(value.tool_call_id)
    const part = defined({ type: 'tool_call_response' as const, id, result })
    return { role: 'tool', parts: [part], ...rest.extra }
  }
  if (value.content === undefined || !type.startsWith('message.')) return unknownMessage(value)
  const usual = type === 'message.output' ? 'assistant' : 'user'
  const role = stringOf(value.role) ?? usual
  const parts = readContent(value.content, 'content', rest, readOpenAiPart)
  const told = role === value.role && (type === 'message.output') === (role === 'assistant')
  const isUsual = told && (type === 'message.output' || type === 'message.input')
  const isRead = parts.length > 0 ? ['content'] : []
  rest.keep('', value, [...(isUsual ? ['type'] : []), ...stringsIn(value, 'role'), ...isRead])
  return { role, parts, ...rest.extra }
}

function read(body: JsonObject): Completion {
  const outputs = arrayOf(body.outputs).map(objectOf)
  const parts = outputs.flatMap(({ type, content }) =>
    type === 'message.output' ? readContent(content, '', new Remainder(), readOpenAiPart) : [],
  )
  return {
    text: textIn(parts),
    reasoning: reasoningIn(parts),
    toolCalls: outputs.flatMap(({ type, tool_call_id, name, arguments: given }) =>
      type === 'function.call' && typeof name === 'string'
        ? [defined({ id: stringOf(tool_call_id), name, arguments: argumentsOf(given) })]
        : [],
    ),
    finishReasons: [],
    usage: readOpenAiUsage(body.usage),
  }
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const outputs = new Drafts<JsonObject>()
  let ending: JsonObject | undefined
  let usage: JsonObject = {}
  for (const { type, data } of events) {
    usage = { ...usage, ...known(objectOf(data.usage)) }
    const index = numberOf(data.output_index) ?? 0
    if (type === 'message.output.delta') {
      const content = arrayOf(objectOf(outputs.get(index)).content)
      addPiece(content, data.content ?? '')
      outputs.set(index, { type: 'message.output', content })
    }
    if (type === 'function.call.delta') {
      const { arguments: before = '', ...call } = outputs.get(index) ?? data
      const first = outputs.has(index) ? (stringOf(before) ?? '') : ''
      const input = first + (stringOf(data.arguments) ?? '')
      outputs.set(index, { ...call, type: 'function.call', arguments: input })
    }
    if (type === 'conversation.response.done') ending = data
    if (type === 'conversation.response.error') ending = { error: { ...data } }
  }
  return {
    body: { outputs: outputs.inOrder(), ...ending, usage },
    whole: ending !== undefined && ending.error === undefined,
  }
}

/** Appends a text to the last one; any other piece stands by itself. */
function addPiece(content: JsonValue[], piece: JsonValue): void {
  const { type = 'text', text } = typeof piece === 'string' ? { text: piece } : objectOf(piece)
  const last = objectOf(content.at(-1))
  if (type !== 'text' || typeof text !== 'string') content.push(piece)
  else if (last.type === 'text' && typeof last.text === 'string')
    content[content.length - 1] = { type, text: `${last.text}${text}` }
  else content.push({ type, text })
}

function write(completion: Completion, request: WireRequest): WireResponse {
  const { text, reasoning, toolCalls, usage, incomplete } = completion
  const thought = reasoning
    ? [{ type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }]
    : []
  const calls = toolCalls.map((call, index) => ({
    tool_call_id: callId(call, index, 'call_', request),
    name: call.name,
    arguments: argumentsText(call.arguments),
  }))
  const head = { conversation_id: 'conv_0', ...chatUsage(usage) }
  const fail = (message: string): JsonObject => ({ object: 'error', message })
  if (bodyOf(request).stream !== true) {
    const said = {
      type: 'message.output',
      role: 'assistant',
      content: [...thought, { type: 'text', text }],
    }
    const outputs = [
      ...(text || reasoning ? [said] : []),
      ...calls.map((call) => ({ type: 'function.call', ...call })),
    ]
    return writeAnswer(
      completion,
      { whole: { object: 'conversation.response', outputs, ...head } },
      fail,
    )
  }
  const delta = (content: JsonValue): JsonObject => ({
    output_index: 0,
    content_index: 0,
    role: 'assistant',
    content,
  })
  const named: [type: string, fields: JsonObject][] = [
    ['conversation.response.started', incomplete ? head : {}],
    ...[...thought, ...splitWords(text)].map((piece): [string, JsonObject] => [
      'message.output.delta',
      delta(piece),
    ]),
    ...calls.map((call, index): [string, JsonObject] => [
      'function.call.delta',
      { output_index: index + 1, ...call },
    ]),
    ...(incomplete ? [] : [['conversation.response.done', head] as [string, JsonObject]]),
  ]
  const events = named.map(([type, fields]) => ({ event: type, data: { type, ...fields } }))
  return writeAnswer(completion, { events }, fail)
}
