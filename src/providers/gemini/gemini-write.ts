import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { jsonObject } from '../fields.ts'
import { geminiTarget } from './gemini-prompt.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'

/** Writes an answer of generateContent: at once, as events, or as an array of them. */
export function writeGeminiAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { model = '', method } = geminiTarget(request)
  const { reasoning, text, toolCalls } = completion
  const calls = toolCalls.map((call) => {
    const { id, name, arguments: args } = call
    return { functionCall: jsonObject({ id, name, args }) }
  })
  const chunk = (parts: JsonObject[]): JsonObject => ({
    candidates: [{ content: { parts, role: 'model' }, index: 0 }],
    modelVersion: model,
  })
  if (method !== 'streamGenerateContent') {
    const parts = [...textParts(reasoning ? [reasoning] : [], true), ...textParts([text]), ...calls]
    const whole = { ...chunk(parts), ...ending(completion, parts) }
    return writeAnswer(completion, { whole }, writeFailure)
  }
  const parts = [
    ...textParts(splitWords(reasoning), true),
    ...textParts(splitWords(text)),
    ...calls,
  ]
  const values = [
    ...parts.map((part) => chunk([part])),
    { ...chunk([]), ...ending(completion, []) },
  ]
  const isSse = URL.parse(request.url)?.searchParams.get('alt') === 'sse'
  const written = isSse ? { events: values.map((data) => ({ data })) } : { list: values }
  return writeAnswer(completion, written, writeFailure)
}

function textParts(texts: string[], thought?: true): JsonObject[] {
  return texts.filter(Boolean).map((text) => jsonObject({ text, thought }))
}

/** The fields of the last chunk: the finish reasons, and the usage of all chunks. */
function ending({ finishReasons, incomplete, usage }: Completion, parts: JsonObject[]): JsonObject {
  const reasons = finishReasons.length > 0 || incomplete ? finishReasons : ['STOP']
  const [first, ...others] = reasons.map((finishReason, index) => ({
    content: { parts: index === 0 ? parts : [], role: 'model' },
    finishReason,
    index,
  }))
  return {
    ...(first ? { candidates: [first, ...others] } : {}),
    ...(usage ? { usageMetadata: writeUsage(usage) } : {}),
  }
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadInputTokens, reasoningOutputTokens } = usage
  const said = outputTokens === undefined ? undefined : outputTokens - (reasoningOutputTokens ?? 0)
  return jsonObject({
    promptTokenCount: inputTokens,
    candidatesTokenCount: said,
    cachedContentTokenCount: cacheReadInputTokens,
    thoughtsTokenCount: reasoningOutputTokens,
    totalTokenCount: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}

function writeFailure(message: string): JsonObject {
  return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }
}
