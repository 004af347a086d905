import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { Frame } from '../../wire/amazon-frames.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { messageEvents, wholeMessage } from '../anthropic/anthropic-write.ts'
import { bedrockModelOf } from './bedrock-model.ts'
import { vendorEvents, wholeOfVendor } from './bedrock-vendors-write.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { jsonObject } from '../fields.ts'
import { reasonOr, splitWords, writeAnswer, type WrittenBody } from '../kit/write-answer.ts'
import { argumentsText, callId } from '../kit/written-call.ts'

/** Writes an answer of Converse, at once or in frames. */
export function writeConverseAnswer(completion: Completion, request: WireRequest): WireResponse {
  const isStream = isSentTo(request, '/converse-stream')
  return writeBedrockAnswer(
    completion,
    isStream
      ? { frames: converseEvents(completion, request).map(([event, data]) => ({ event, data })) }
      : { whole: wholeConverse(completion, request) },
  )
}

/** Writes an answer of an invoked model, in the format of its vendor. */
export function writeInvokeAnswer(completion: Completion, request: WireRequest): WireResponse {
  const isStream = isSentTo(request, '/invoke-with-response-stream')
  const model = bedrockModelOf(request) ?? ''
  const { anthropic_version: version } = bodyOf(request)
  const chunked = (chunks: JsonObject[]): WrittenBody => ({ frames: chunks.map(frameOf) })
  if (version !== undefined) {
    const written = isStream
      ? chunked(messageEvents(completion, request, model))
      : { whole: wholeMessage(completion, request, model) }
    return writeBedrockAnswer(completion, written)
  }
  if (/\bnova\b/.test(model)) {
    const events = converseEvents(completion, request).map(([type, data]) => ({ [type]: data }))
    const written = isStream ? chunked(events) : { whole: wholeConverse(completion, request) }
    return writeBedrockAnswer(completion, written)
  }
  const written = isStream
    ? chunked(vendorEvents(completion, request, model))
    : { whole: wholeOfVendor(completion, request, model) }
  return writeBedrockAnswer(completion, written)
}

/** Clients read the kind of an error from a header. */
function writeBedrockAnswer(completion: Completion, written: WrittenBody): WireResponse {
  const answer = writeAnswer(completion, written, (message) => ({ message }))
  if (answer.status < 400) return answer
  const headers = { ...answer.headers, 'x-amzn-errortype': 'ValidationException' }
  return { ...answer, headers }
}

function frameOf(chunk: JsonObject): Frame {
  return { event: 'chunk', chunk, data: {} }
}

function wholeConverse(completion: Completion, request: WireRequest): JsonObject {
  const content = blocksOf(completion, request)
  return jsonObject({
    metrics: { latencyMs: 0 },
    output: { message: { role: 'assistant', content } },
    stopReason: reasonOf(completion),
    usage: usageOf(completion.usage),
  })
}

function converseEvents(
  completion: Completion,
  request: WireRequest,
): [name: string, data: JsonObject][] {
  const reason = reasonOf(completion)
  const usage = usageOf(completion.usage)
  return [
    ['messageStart', { role: 'assistant' }],
    ...blocksOf(completion, request).flatMap(blockEvents),
    ...(reason === undefined
      ? []
      : [['messageStop', { stopReason: reason }] satisfies [string, JsonObject]]),
    ...(usage
      ? [['metadata', { metrics: { latencyMs: 0 }, usage }] satisfies [string, JsonObject]]
      : []),
  ]
}

function blocksOf({ reasoning, text, toolCalls }: Completion, request: WireRequest): JsonObject[] {
  return [
    ...(reasoning ? [{ reasoningContent: { reasoningText: { text: reasoning } } }] : []),
    ...(text ? [{ text }] : []),
    ...toolCalls.map((call, index) => {
      const toolUseId = callId(call, index, 'tooluse_', request)
      return { toolUse: { toolUseId, name: call.name, input: call.arguments } }
    }),
  ]
}

function blockEvents(block: JsonObject, index: number): [name: string, data: JsonObject][] {
  const delta = (value: JsonObject): [string, JsonObject] => [
    'contentBlockDelta',
    { contentBlockIndex: index, delta: value },
  ]
  const stop: [string, JsonObject] = ['contentBlockStop', { contentBlockIndex: index }]
  const { text, toolUse, reasoningContent } = block
  if (typeof text === 'string')
    return [...splitWords(text).map((piece) => delta({ text: piece })), stop]
  if (!isJsonObject(toolUse)) {
    const { text: thought } = (reasoningContent as JsonObject).reasoningText as JsonObject
    const pieces = splitWords(thought as string)
    return [...pieces.map((piece) => delta({ reasoningContent: { text: piece } })), stop]
  }
  const { input = {}, ...start } = toolUse
  return [
    ['contentBlockStart', { contentBlockIndex: index, start: { toolUse: start } }],
    delta({ toolUse: { input: argumentsText(input) } }),
    stop,
  ]
}

/** Cached tokens stand beside the input tokens here, not among them. */
function usageOf(usage: Usage | undefined): JsonObject | undefined {
  if (!usage) return undefined
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage
  const cached = (cacheReadInputTokens ?? 0) + (cacheCreationInputTokens ?? 0)
  return jsonObject({
    inputTokens: inputTokens === undefined ? undefined : Math.max(0, inputTokens - cached),
    outputTokens,
    totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    cacheReadInputTokens,
    cacheWriteInputTokens: cacheCreationInputTokens,
  })
}

function reasonOf(completion: Completion): string | undefined {
  return reasonOr(completion, completion.toolCalls.length > 0 ? 'tool_use' : 'end_turn')
}
