import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, ToolCall, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { jsonObject } from '../fields.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, withCallIds } from '../kit/written-call.ts'

/** Writes an answer of Vercel's gateway, streamed where a header asks for it. */
export function writeVercelAnswer(said: Completion, request: WireRequest): WireResponse {
  const completion = withCallIds(said, request)
  const streams = request.headers?.['ai-language-model-streaming'] === 'true'
  const written = streams
    ? { events: partsOf(completion).map((data) => ({ data })) }
    : { whole: wholeOf(completion) }
  return writeAnswer(completion, written, (message) => ({ error: { message, type: 'error' } }))
}

function wholeOf(completion: Completion): JsonObject {
  const { reasoning, text, toolCalls } = completion
  const content: JsonObject[] = toolCalls.map(callOf)
  if (text) content.unshift({ type: 'text', text })
  if (reasoning) content.unshift({ type: 'reasoning', text: reasoning })
  return { content, ...ending(completion), warnings: [] }
}

function partsOf(completion: Completion): JsonObject[] {
  const { reasoning, text, toolCalls } = completion
  const end = ending(completion)
  return [
    { type: 'stream-start', warnings: [] },
    ...pieces('reasoning', reasoning),
    ...pieces('text', text),
    ...toolCalls.map(callOf),
    ...(Object.keys(end).length > 0 ? [{ type: 'finish', ...end }] : []),
  ]
}

function pieces(type: string, text: string | undefined): JsonObject[] {
  if (!text) return []
  const id = `${type}-0`
  return [
    { type: `${type}-start`, id },
    ...splitWords(text).map((delta) => ({ type: `${type}-delta`, id, delta })),
    { type: `${type}-end`, id },
  ]
}

function callOf({ id, name, arguments: input }: ToolCall): JsonObject {
  return jsonObject({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: argumentsText(input),
  })
}

function ending({ finishReasons, toolCalls, incomplete, usage }: Completion): JsonObject {
  const usual = toolCalls.length > 0 ? 'tool-calls' : 'stop'
  const reason = finishReasons[0] ?? (incomplete ? undefined : usual)
  return jsonObject({
    finishReason: reason === undefined ? undefined : { unified: reason, raw: reason },
    usage: usage && writeUsage(usage),
  })
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, reasoningOutputTokens } = usage
  const { cacheReadInputTokens: cacheRead, cacheCreationInputTokens: cacheWrite } = usage
  return {
    inputTokens: jsonObject({ total: inputTokens, cacheRead, cacheWrite }),
    outputTokens: jsonObject({ total: outputTokens, reasoning: reasoningOutputTokens }),
  }
}
