import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf } from '../kit/envelope.ts'
import { jsonObject, stringOf } from '../fields.ts'
import { reasonOr, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, callId } from '../kit/written-call.ts'

/** Writes an answer of Anthropic's messages, at once or as a stream. */
export function writeAnthropicAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { stream, model } = bodyOf(request)
  const name = stringOf(model) ?? ''
  if (stream !== true) {
    const whole = wholeMessage(completion, request, name)
    return writeAnswer(completion, { whole }, writeAnthropicFailure)
  }
  const events = messageEvents(completion, request, name).map((data) => ({
    event: data.type as string,
    data,
  }))
  return writeAnswer(completion, { events }, writeAnthropicFailure)
}

/** An answer in one piece. */
export function wholeMessage(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject {
  return {
    ...headOf(model),
    content: blocksOf(completion, request),
    stop_reason: reasonOf(completion),
    stop_sequence: null,
    usage: usageOf(completion.usage),
  }
}

/** An answer in the events of a stream. */
export function messageEvents(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject[] {
  const usage = usageOf(completion.usage)
  const { output_tokens: output } = usage
  const message = { ...headOf(model), content: [], stop_reason: null, stop_sequence: null, usage }
  const reason = reasonOf(completion)
  const last = {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: jsonObject({ output_tokens: output }),
  }
  return [
    { type: 'message_start', message },
    ...blocksOf(completion, request).flatMap(blockEvents),
    ...(reason === null ? [] : [last]),
    ...(completion.incomplete ? [] : [{ type: 'message_stop' }]),
  ]
}

/** An error in Anthropic's format. */
export function writeAnthropicFailure(message: string): JsonObject {
  return { type: 'error', error: { type: 'invalid_request_error', message } }
}

function headOf(model: string): JsonObject {
  return { id: 'msg_written', type: 'message', role: 'assistant', model }
}

function blocksOf({ reasoning, text, toolCalls }: Completion, request: WireRequest): JsonObject[] {
  return [
    ...(reasoning ? [{ type: 'thinking', thinking: reasoning, signature: '' }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...toolCalls.map((call, index) => {
      const id = callId(call, index, 'toolu_', request)
      // Anthropic's own server answers such a call, so it is none for the application.
      const type = id.startsWith('srvtoolu_') ? 'server_tool_use' : 'tool_use'
      return { type, id, name: call.name, input: call.arguments }
    }),
  ]
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const delta = (type: string, field: string, piece: string): JsonObject => ({
    type: 'content_block_delta',
    index,
    delta: { type, [field]: piece },
  })
  const { type, text, thinking, input } = block
  const [start, deltas]: [JsonObject, JsonObject[]] =
    type === 'text'
      ? [{ type, text: '' }, pieces(text).map((piece) => delta('text_delta', 'text', piece))]
      : type === 'thinking'
        ? [
            { type, thinking: '', signature: '' },
            pieces(thinking).map((piece) => delta('thinking_delta', 'thinking', piece)),
          ]
        : [
            { ...block, input: {} },
            [delta('input_json_delta', 'partial_json', argumentsText(input ?? {}))],
          ]
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas,
    { type: 'content_block_stop', index },
  ]
}

function pieces(text: JsonObject[string] | undefined): string[] {
  return splitWords(stringOf(text))
}

/** Cached tokens stand beside the input tokens here, not among them. */
function usageOf(usage: Usage | undefined): JsonObject {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage ?? {}
  const cached = (cacheReadInputTokens ?? 0) + (cacheCreationInputTokens ?? 0)
  const thinking = usage?.reasoningOutputTokens
  return jsonObject({
    input_tokens: inputTokens === undefined ? undefined : Math.max(0, inputTokens - cached),
    cache_creation_input_tokens: cacheCreationInputTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    output_tokens: outputTokens,
    output_tokens_details: thinking === undefined ? undefined : { thinking_tokens: thinking },
  })
}

function reasonOf(completion: Completion): string | null {
  return reasonOr(completion, completion.toolCalls.length > 0 ? 'tool_use' : 'end_turn') ?? null
}
