import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf } from '../kit/envelope.ts'
import { jsonObject, objectOf, stringOf, unlessEmpty } from '../fields.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, callId } from '../kit/written-call.ts'

/** Writes a chat completion, at once or as a stream that ends with `[DONE]`. */
export function writeChatAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { stream } = bodyOf(request)
  if (stream !== true) {
    const whole = wholeOf(completion, request)
    return writeAnswer(completion, { whole }, writeChatFailure)
  }
  const events = chatChunks(completion, request).map((data) => ({ data }))
  const end = completion.incomplete ? [] : [{ data: '[DONE]' }]
  return writeAnswer(completion, { events: [...events, ...end] }, writeChatFailure)
}

/** A chat completion in one piece. */
export function wholeOf(completion: Completion, request: WireRequest): JsonObject {
  const { reasoning, usage } = completion
  const calls = callsOf(completion, request)
  const message = jsonObject({
    role: 'assistant',
    content: contentOf(completion),
    reasoning_content: reasoning,
    refusal: null,
    tool_calls: calls.length > 0 ? calls : undefined,
  })
  const choices = reasonsOf(completion).map((finishReason, index) => ({
    index,
    message: index === 0 ? message : { role: 'assistant', content: '', refusal: null },
    logprobs: null,
    finish_reason: finishReason,
  }))
  return { ...headOf(request, 'chat.completion'), choices, ...chatUsage(usage) }
}

/** A chat completion in the chunks of a stream. */
export function chatChunks(completion: Completion, request: WireRequest): JsonObject[] {
  const head = headOf(request, 'chat.completion.chunk')
  const chunk = (delta: JsonObject, finishReason: string | null = null, index = 0): JsonObject => ({
    ...head,
    choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
  })
  const { text, reasoning, usage } = completion
  const ends = reasonsOf(completion).map((reason, index) => chunk({}, reason, index))
  const counts = chatUsage(usage)
  const asksForUsage = objectOf(bodyOf(request).stream_options).include_usage === true
  // A client that did not ask for usage may not expect a chunk without choices.
  const last = asksForUsage && usage ? [{ ...head, choices: [], ...counts }] : []
  if (!asksForUsage) Object.assign(ends.at(-1)!, counts)
  const content = contentOf(completion) === null ? null : ''
  return [
    chunk({ role: 'assistant', content, refusal: null }),
    ...splitWords(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...splitWords(text).map((piece) => chunk({ content: piece })),
    // One whole call to a chunk, as the client of Mistral requires.
    ...callsOf(completion, request).map((call, index) =>
      chunk({ tool_calls: [{ index, ...call }] }),
    ),
    ...ends,
    ...last,
  ]
}

/** An error in the format of chat completions. */
export function writeChatFailure(message: string): JsonObject {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}

/** Usage under the names of chat completions; empty without usage. */
export function chatUsage(usage: Usage | undefined): JsonObject {
  if (!usage) return {}
  const { inputTokens, outputTokens, reasoningOutputTokens: reasoning } = usage
  const { cacheReadInputTokens: read, cacheCreationInputTokens: written } = usage
  const input = jsonObject({ cached_tokens: read, cache_write_tokens: written })
  return {
    usage: jsonObject({
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
      prompt_tokens_details: unlessEmpty(input),
      completion_tokens_details:
        reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
    }),
  }
}

function headOf(request: WireRequest, object: string): JsonObject {
  const model = stringOf(bodyOf(request).model) ?? ''
  return { id: 'chatcmpl-written', object, created: 0, model }
}

function callsOf({ toolCalls }: Completion, request: WireRequest): JsonObject[] {
  return toolCalls.map((call, index) => ({
    id: callId(call, index, 'call_', request),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }))
}

/** Calls without a text have no content, not an empty one. */
function contentOf({ text, toolCalls }: Completion): string | null {
  return text === '' && toolCalls.length > 0 ? null : text
}

/** Adds a finish reason where none is given, because clients refuse a complete answer without one. */
function reasonsOf({
  finishReasons,
  toolCalls,
  incomplete,
  error,
}: Completion): [string | null, ...string[]] {
  const [first, ...others] = finishReasons
  if (first !== undefined) return [first, ...others]
  if (incomplete || error !== undefined) return [null]
  return [toolCalls.length > 0 ? 'tool_calls' : 'stop']
}
