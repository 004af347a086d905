import { isJsonObject } from '../../../json/json-value.ts'
import { defined, objectOf } from '../../../providers/fields.ts'
import { heldAnswer, usageIn } from './answers.ts'
import { Held } from './held.ts'
import { heldMessages, heldTools, parsed, stringIn } from './messages.ts'
import type { HeldPrompt } from './model-call.ts'
import { heldRequest, isRequest, isWholeRequest } from './requests.ts'
import type { Convention, SpanKind, TraceSpan } from './span.ts'

const KINDS: Record<string, SpanKind> = {
  CHAT_MODEL: 'model',
  LLM: 'model',
  TOOL: 'tool',
  AGENT: 'agent',
}

/** MLflow (3): what a function was given, and what it gave back, as the texts of JSON. */
export const mlflow: Convention = {
  name: 'MLflow',
  contentSetting: 'take away the span processors that remove inputs and outputs',

  kindOf({ attributes }) {
    const type = parsed(attributes['mlflow.spanType'] ?? null)
    return typeof type === 'string' ? (KINDS[type] ?? false) : undefined
  },

  readCall(span) {
    const held = new Held(span)
    const output = held.json('mlflow.spanOutputs')
    const usage = usageIn(held.json('mlflow.chat.tokenUsage'))
    const prompt = promptOf(held)
    return {
      prompt: { operation: 'chat', ...prompt },
      answer: { text: '', ...heldAnswer(output), ...(usage ? { usage } : {}) },
      streamed: prompt.isWhole && isStreamed(span),
      responseId: stringIn(objectOf(output), 'id'),
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held(span)
    return {
      name: span.name,
      parameters: held.json('mlflow.spanInputs'),
      result: held.json('mlflow.spanOutputs'),
    }
  },

  agentName: ({ name }) => name,
}

function promptOf(held: Held): HeldPrompt {
  const input = held.json('mlflow.spanInputs')
  if (isWholeRequest(input)) return { ...heldRequest(input), isWhole: true }
  const tools = heldTools(held.json('mlflow.chat.tools'))
  // A function of the user has the request among its arguments, under names of its own.
  const said = isJsonObject(input) ? undefined : heldMessages(input)
  return defined({ messages: isRequest(input) ? heldRequest(input).messages : said, tools })
}

function isStreamed({ attributes }: TraceSpan): boolean {
  return objectOf(parsed(attributes['mlflow.spanInputs'] ?? null)).stream === true
}
