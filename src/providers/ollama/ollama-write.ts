import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { jsonObject } from '../fields.ts'
import { isOpen, splitWords, writeAnswer } from '../kit/write-answer.ts'

/** Writes an answer of Ollama's chat or generate, which stream unless they are told not to. */
export function writeOllamaAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { model = '', stream } = bodyOf(request)
  const { reasoning, text, toolCalls } = completion
  const generates = isSentTo(request, '/api/generate')
  const chunk = (said: JsonObject): JsonObject => ({
    model,
    created_at: '1970-01-01T00:00:00Z',
    ...(generates ? generated(said) : { message: { role: 'assistant', content: '', ...said } }),
    done: false,
  })
  const tool_calls = toolCalls.map(({ id, name, arguments: input }) =>
    jsonObject({ id, function: { name, arguments: input } }),
  )
  const calls: JsonObject = tool_calls.length > 0 ? { tool_calls } : {}
  if (stream === false) {
    const said = jsonObject({ content: text, thinking: reasoning, ...calls })
    return writeAnswer(
      completion,
      { whole: { ...chunk(said), ...ending(completion) } },
      writeFailure,
    )
  }
  const lines = [
    ...splitWords(reasoning).map((thinking) => chunk({ thinking })),
    ...splitWords(text).map((content) => chunk({ content })),
    ...(tool_calls.length > 0 ? [chunk(calls)] : []),
    ...(isOpen(completion) ? [] : [{ ...chunk({}), ...ending(completion) }]),
  ]
  return writeAnswer(completion, { lines }, writeFailure)
}

/** A generated text is no message: its fields stand in the body itself. */
function generated({ content = '', ...said }: JsonObject): JsonObject {
  return { response: content, ...said }
}

function ending({ finishReasons, usage, incomplete }: Completion): JsonObject {
  return jsonObject({
    done: true,
    done_reason: finishReasons[0] ?? (incomplete ? undefined : 'stop'),
    prompt_eval_count: usage?.inputTokens,
    eval_count: usage?.outputTokens,
  })
}

/** Ollama's client expects an error as a text, and not as an object. */
function writeFailure(message: string): JsonObject {
  return { error: message }
}
