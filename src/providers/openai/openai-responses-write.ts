import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, ToolCall, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf } from '../kit/envelope.ts'
import { jsonObject, stringOf, unlessEmpty } from '../fields.ts'
import { writeChatFailure } from './openai-chat-write.ts'
import { isOpen, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, callId } from '../kit/written-call.ts'

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
    usage: usageOf(completion.usage),
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

function usageOf(usage: Usage | undefined): JsonObject | undefined {
  if (!usage) return undefined
  const { inputTokens, outputTokens, reasoningOutputTokens: reasoning } = usage
  const { cacheReadInputTokens: read, cacheCreationInputTokens: written } = usage
  const input = jsonObject({ cached_tokens: read, cache_write_tokens: written })
  return jsonObject({
    input_tokens: inputTokens,
    input_tokens_details: unlessEmpty(input),
    output_tokens: outputTokens,
    output_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
    total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}
