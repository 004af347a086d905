import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { completionOf, readResult, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, jsonObject, numberOf, objectOf, stringOf } from '../fields.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, pathOf } from '../kit/envelope.ts'
import { messageOf, takenMessage } from '../kit/messages.ts'
import {
  type AnswerEvent,
  errorMessage,
  type JoinedAnswer,
  readAnswer,
} from '../kit/read-answer.ts'
import { argumentsText, callId, isOpen, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { readOpenAiUsage, writeChatFailure } from './openai-chat.ts'
import { argumentsOf, readOpenAiPart, readOpenAiTool } from './openai-messages.ts'
import { writeResponsesPrompt } from './openai-prompt-write.ts'
import { RESPONSES_RESPONSE } from './openai-places.ts'
import { type UsageFormat, writeUsage } from '../kit/usage.ts'
import { Taken, takenCall, takenResult, takePrompt } from '../kit/taken.ts'

const POLLED = /\/(?:v\d+\w*|openai|codex)\/responses\/[^/]+$/

/** OpenAI's responses. */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  places: RESPONSES_RESPONSE,
  tooLong: 'max_output_tokens',

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
    return takePrompt(request, operationOf(request), (body) => ({
      messages: readResponseInput(body),
      tools: body.list('tools').map(readOpenAiTool),
    }))
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

/** The fields with the input of a call, one for each kind of call. */
const CALL_INPUTS = ['arguments', 'input', 'action', 'queries', 'code', 'operation']

/** The fields with the output of a tool. */
const CALL_OUTPUTS = ['output', 'tools']

/** Reads the instructions and the input of a response. */
export function readResponseInput(body: Taken): Message[] {
  return [
    ...takenMessage(body, 'instructions', 'system'),
    ...takenMessage(body, 'input', 'user'),
    ...body.list('input').map(readResponseItem),
  ]
}

/** Reads an item of the input or the output of a response. */
export function readResponseItem(value: JsonValue): Message {
  if (!isJsonObject(value)) return messageOf('user', value)
  const type = stringOf(value.type)
  if (type === undefined || type === 'message') return readMessageItem(value)
  if (type === 'reasoning') return readReasoning(value)
  if (type.endsWith('_call_output') || type === 'tool_search_output') return readOutput(value)
  if (type.endsWith('_call')) return readCall(value, type)
  return { role: stringOf(value.role) ?? 'assistant', parts: [{ type: 'other', value }] }
}

function readMessageItem(value: JsonObject): Message {
  const item = new Taken(value)
  item.is('type', 'message')
  const role = item.text('role') ?? 'unknown'
  return { role, parts: item.parts('content', readOpenAiPart), ...item.extra }
}

function readReasoning(value: JsonObject): Message {
  const item = new Taken(value)
  item.any('type')
  const parts = ['summary', 'content'].flatMap((list) => item.parts(list, readOpenAiPart))
  return { role: 'assistant', parts, ...item.extra }
}

/** A call of a function, or of a tool that is known by the type of the item, as `web_search_call`. */
function readCall(value: JsonObject, type: string): Message {
  const item = new Taken(value)
  const name = item.text('name') ?? type.slice(0, -'_call'.length)
  // The type stays in the rest, unless the call is an ordinary one or the type gave the name.
  if (type === 'function_call' || value.name === undefined) item.any('type')
  const field = CALL_INPUTS.find((one) => value[one] !== undefined)
  const input = (field && item.any(field)) ?? {}
  const given = field === 'arguments' ? argumentsOf(input) : input
  const part = takenCall(item.text('call_id'), name, given)!
  return { role: 'assistant', parts: [part], ...item.extra }
}

function readOutput(value: JsonObject): Message {
  const item = new Taken(value)
  item.is('type', 'function_call_output')
  const field = CALL_OUTPUTS.find((one) => value[one] !== undefined)
  const result = readResult(field && item.any(field), readOpenAiPart)
  return { role: 'tool', parts: [takenResult(item.text('call_id'), result)], ...item.extra }
}

/** Events after which nothing follows. */
const ENDS = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  // The end of every response on a Realtime socket.
  'response.done',
])

/** The place of a streamed text: the list of its item, and the type and field of its part. */
interface StreamedText {
  list: 'content' | 'summary'
  type: string
  field: 'text' | 'refusal' | 'transcript'
}

const TEXTS = new Map<string, StreamedText>([
  ['response.output_text.delta', { list: 'content', type: 'output_text', field: 'text' }],
  ['response.text.delta', { list: 'content', type: 'output_text', field: 'text' }],
  [
    'response.output_audio_transcript.delta',
    { list: 'content', type: 'output_audio', field: 'transcript' },
  ],
  [
    'response.audio_transcript.delta',
    { list: 'content', type: 'output_audio', field: 'transcript' },
  ],
  ['response.refusal.delta', { list: 'content', type: 'refusal', field: 'refusal' }],
  ['response.reasoning_text.delta', { list: 'content', type: 'reasoning_text', field: 'text' }],
  [
    'response.reasoning_summary_text.delta',
    { list: 'summary', type: 'summary_text', field: 'text' },
  ],
])

/** The field of the item that collects the streamed input of a call. */
const INPUTS = new Map([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.mcp_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
  ['response.code_interpreter_call_code.delta', 'code'],
])

/** Joins the events of a streamed response into one response. */
export function joinResponseEvents(events: AnswerEvent[]): JoinedAnswer {
  const end = events.find(({ type }) => ENDS.has(type))
  const drafts = new Drafts<ItemDraft>()
  for (const { type, data } of events) {
    const index = numberOf(data.output_index) ?? 0
    const draft = drafts.get(index) ?? new ItemDraft()
    if (draft.add(type, data)) drafts.set(index, draft)
  }
  const response = objectOf(end?.data.response)
  // Some servers end with an empty output although they streamed one.
  const output = arrayOf(response.output).length > 0 ? arrayOf(response.output) : undefined
  return {
    body: {
      ...(end ? { status: end.type.slice('response.'.length) } : {}),
      ...response,
      output: output ?? drafts.inOrder().map((draft) => draft.joined()),
    },
    whole: end !== undefined,
  }
}

/** One item of a response, as received so far. */
class ItemDraft {
  #item: JsonObject = {}
  #done = false
  /** By the list, place and field of the text. */
  readonly #texts = new Map<string, StreamedText & { text: string }>()
  readonly #inputs = new Map<string, string>()

  /** Adds an event; false if it concerns no item. */
  add(type: string, data: JsonObject): boolean {
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.#item = objectOf(data.item)
      this.#done = type.endsWith('.done')
      return true
    }
    const delta = stringOf(data.delta) ?? ''
    const input = INPUTS.get(type)
    if (input !== undefined) this.#inputs.set(input, (this.#inputs.get(input) ?? '') + delta)
    const text = TEXTS.get(type)
    if (text !== undefined) this.#addText(text, data, delta)
    return input !== undefined || text !== undefined
  }

  joined(): JsonObject {
    if (this.#done) return this.#item
    const item = { ...this.#item, ...Object.fromEntries(this.#inputs) }
    for (const list of ['summary', 'content']) {
      const texts = [...this.#texts.values()].filter((text) => text.list === list)
      if (texts.length > 0)
        item[list] = texts.map(({ type, field, text }) => ({ type, [field]: text }))
    }
    return item
  }

  #addText(streamed: StreamedText, data: JsonObject, delta: string): void {
    const place = numberOf(data.summary_index, data.content_index) ?? 0
    const key = `${streamed.list}[${place}].${streamed.field}`
    const text = this.#texts.get(key) ?? { ...streamed, text: '' }
    this.#texts.set(key, { ...text, text: text.text + delta })
  }
}

const STATUSES = ['completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete']

/** Tools that run at the provider; their calls are items of their own type. */
const HOSTED =
  /^(?:web_search|file_search|code_interpreter|image_generation|computer|local_shell|shell|apply_patch|tool_search)$/

/** Writes a response, at once or as a stream. */
export function writeResponsesAnswer(completion: Completion, request: WireRequest): WireResponse {
  const whole = responseOf(completion, request)
  if (bodyOf(request).stream !== true) return writeAnswer(completion, { whole }, writeChatFailure)
  const events = responseEvents(whole, completion).map((data, index) => ({
    event: data.type as string,
    data: { ...data, sequence_number: index },
  }))
  return writeAnswer(completion, { events }, writeChatFailure)
}

function responseOf(completion: Completion, request: WireRequest): JsonObject {
  const { model } = bodyOf(request)
  return jsonObject({
    id: 'resp_written',
    object: 'response',
    created_at: 0,
    ...endOf(completion),
    error: null,
    instructions: null,
    metadata: {},
    model: stringOf(model) ?? '',
    output: itemsOf(completion, request),
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: completion.usage && writeUsage(USAGE, completion.usage),
  })
}

/** The end of the response: its status, or the reason why it is incomplete. */
function endOf({ finishReasons, incomplete, error }: Completion): JsonObject {
  const [reason] = finishReasons
  if (reason === undefined && (incomplete || error !== undefined)) {
    return { incomplete_details: null }
  }
  return reason === undefined || STATUSES.includes(reason)
    ? { status: reason ?? 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } }
}

function itemsOf({ reasoning, text, toolCalls }: Completion, request: WireRequest): JsonObject[] {
  return [
    ...(reasoning
      ? [{ id: 'rs_written', type: 'reasoning', summary: [summaryOf(reasoning)] }]
      : []),
    ...(text
      ? [
          {
            id: 'msg_written',
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [contentOf(text)],
          },
        ]
      : []),
    ...toolCalls.map((call, index) => callOf(call, index, request)),
  ]
}

function callOf(call: ToolCall, index: number, request: WireRequest): JsonObject {
  const { name, arguments: input } = call
  const id = `fc_written_${index}`
  if (call.id === undefined && HOSTED.test(name)) {
    const field = typeof input === 'string' ? 'code' : Array.isArray(input) ? 'queries' : 'action'
    return { id, type: `${name}_call`, status: 'completed', [field]: input }
  }
  return {
    id,
    type: 'function_call',
    call_id: callId(call, index, 'call_', request),
    name,
    arguments: argumentsText(input),
    status: 'completed',
  }
}

function summaryOf(text: string): JsonObject {
  return { type: 'summary_text', text }
}

function contentOf(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function responseEvents(whole: JsonObject, completion: Completion): JsonObject[] {
  const begun = {
    ...whole,
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  }
  const status = stringOf(whole.status) ?? 'completed'
  const ending = ['incomplete', 'failed'].includes(status) ? status : 'completed'
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...(whole.output as JsonObject[]).flatMap(itemEvents),
    ...(isOpen(completion) ? [] : [{ type: `response.${ending}`, response: whole }]),
  ]
}

function itemEvents(item: JsonObject, index: number): JsonObject[] {
  const place: JsonObject = { item_id: item.id!, output_index: index }
  const { begun, inside } = insideOf(item, place)
  return [
    { type: 'response.output_item.added', output_index: index, item: begun },
    ...inside,
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

/** An item as it begins, and the events that fill it. */
function insideOf(
  item: JsonObject,
  place: JsonObject,
): { begun: JsonObject; inside: JsonObject[] } {
  if (item.type === 'message') {
    const at = { ...place, content_index: 0 }
    const [part] = item.content as [JsonObject]
    const events = textEvents('response.output_text', at, part.text as string)
    const inside = partEvents('response.content_part', at, { ...part, text: '' }, part, events)
    return { begun: { ...item, status: 'in_progress', content: [] }, inside }
  }
  if (item.type === 'reasoning') {
    const at = { ...place, summary_index: 0 }
    const [part] = item.summary as [JsonObject]
    const events = textEvents('response.reasoning_summary_text', at, part.text as string)
    const name = 'response.reasoning_summary_part'
    return {
      begun: { ...item, summary: [] },
      inside: partEvents(name, at, summaryOf(''), part, events),
    }
  }
  if (item.type !== 'function_call') return { begun: item, inside: [] }
  const text = item.arguments as string
  const inside = [
    { type: 'response.function_call_arguments.delta', ...place, delta: text },
    { type: 'response.function_call_arguments.done', ...place, name: item.name!, arguments: text },
  ]
  return { begun: { ...item, status: 'in_progress', arguments: '' }, inside }
}

function textEvents(name: string, place: JsonObject, text: string): JsonObject[] {
  const logprobs: JsonObject = name.endsWith('output_text') ? { logprobs: [] } : {}
  return [
    ...splitWords(text).map((delta) => ({ type: `${name}.delta`, ...place, delta, ...logprobs })),
    { type: `${name}.done`, ...place, text, ...logprobs },
  ]
}

function partEvents(
  name: string,
  place: JsonObject,
  begun: JsonObject,
  part: JsonObject,
  inside: JsonObject[],
): JsonObject[] {
  return [
    { type: `${name}.added`, ...place, part: begun },
    ...inside,
    { type: `${name}.done`, ...place, part },
  ]
}

const USAGE: UsageFormat = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheReadInputTokens: 'input_tokens_details.cached_tokens',
  cacheCreationInputTokens: 'input_tokens_details.cache_write_tokens',
  reasoningOutputTokens: 'output_tokens_details.reasoning_tokens',
  total: 'total_tokens',
}
