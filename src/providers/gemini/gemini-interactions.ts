import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import { errorMessage, readAnswer } from '../kit/read-answer.ts'
import { completionOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, counted, listsIn, numberOf, objectOf, flatten, sumOf } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { joinInteractionEvents } from './gemini-interaction-events.ts'
import { readInteractionStep } from './gemini-interaction-steps.ts'
import { writeInteraction } from './gemini-interaction-write.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'

/** Gemini's interactions, in which the server keeps the conversation. */
export const geminiInteractions: Dialect = {
  name: 'gemini-interactions',

  claims(request) {
    if (!isSentTo(request, '/interactions')) return false
    const { model, agent, input } = bodyOf(request)
    const asks = typeof input === 'string' || isJsonObject(input) || arrayOf(input).length > 0
    return (typeof model === 'string' || typeof agent === 'string') && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { system_instruction: system, input, tools } = body
    const read = listsIn(body, 'input', 'tools')
    const messages: Message[] = []
    if (typeof system === 'string') {
      read.push('system_instruction')
      messages.push(messageOf('system', system))
    }
    if (typeof input === 'string' || isJsonObject(input)) {
      read.push('input')
      messages.push(readInteractionStep(input))
    }
    for (const step of arrayOf(input)) messages.push(readInteractionStep(step))
    const envelope = readEnvelope(request, 'chat', read)
    return {
      ...envelope,
      parameters: flatten(envelope.parameters, 'generation_config'),
      messages,
      tools: arrayOf(tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join: joinInteractionEvents }),

  writeCompletion: writeInteraction,
}

function read(body: JsonObject): Completion {
  const messages = arrayOf(body.steps).map(readInteractionStep)
  const parts = messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
  const [failure] = arrayOf(body.errors)
  return {
    ...completionOf(parts, body.status),
    usage: readUsage(objectOf(body.usage)),
    error: failure === undefined ? undefined : errorMessage(failure),
  }
}

/** As in all APIs of Gemini, thoughts are counted beside the output. */
function readUsage(usage: JsonObject): Usage | undefined {
  return counted({
    inputTokens: sumOf(usage.total_input_tokens, usage.total_tool_use_tokens),
    outputTokens: sumOf(usage.total_output_tokens, usage.total_thought_tokens),
    cacheReadInputTokens: numberOf(usage.total_cached_tokens),
    reasoningOutputTokens: numberOf(usage.total_thought_tokens),
  })
}
