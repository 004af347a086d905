import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { heldAnswer, ofMessages } from './answers.ts'
import { Held } from './held.ts'
import { heldMessages, heldTools } from './messages.ts'
import type { HeldAnswer, HeldPrompt } from './model-call.ts'
import {
  isRequest,
  isWholeRequest,
  parametersIn,
  heldRequest,
  withInstructions,
} from './requests.ts'
import type { Convention, SpanKind } from './span.ts'

const KINDS: Record<string, SpanKind> = { LLM: 'model', TOOL: 'tool', AGENT: 'agent' }

/**
 * OpenInference (semantic conventions 2.1), which Arize and Phoenix write: messages as attributes in a row, and beside
 * them the request and the answer as the SDK had them, where that is JSON.
 */
export const openInference: Convention = {
  name: 'OpenInference',
  contentSetting:
    'leave OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS, and those of their messages unset',

  kindOf({ attributes }) {
    const kind = attributes['openinference.span.kind']
    return typeof kind === 'string' ? (KINDS[kind.toUpperCase()] ?? false) : undefined
  },

  readCall(span) {
    const held = new Held(span)
    const request = held.json('input.value')
    const parameters = held.json('llm.invocation_parameters')
    // Its messages in a row lose results of tools where a message has several.
    const prompt = isWholeRequest(request)
      ? { ...heldRequest(request), isWhole: true as const }
      : promptOf(held, request)
    const provider = held.text('llm.provider', 'llm.system')
    const model = held.text('llm.model_name')
    const settings = isJsonObject(parameters) ? parameters : {}
    const asked = typeof settings.model === 'string' ? settings.model : undefined
    const isAnswered = prompt.model === undefined && asked === undefined && model !== undefined
    const stream = settings.stream ?? (isJsonObject(request) ? request.stream : undefined)
    const output = held.json('output.value')
    const id = isJsonObject(output) && typeof output.id === 'string' ? output.id : undefined
    return {
      prompt: {
        operation: 'chat',
        ...(provider ? { provider } : {}),
        ...((asked ?? model) ? { model: (asked ?? model)! } : {}),
        ...prompt,
      },
      answer: answerOf(held, request, output),
      ...(prompt.isWhole
        ? { streamed: stream === true }
        : stream === true
          ? { streamed: true }
          : {}),
      ...(id ? { responseId: id } : {}),
      ...(isAnswered ? { isAnsweredModel: true } : {}),
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held(span)
    const callId = held.text('tool_call.id', 'tool.id')
    const name = held.text('tool.name', 'tool_call.function.name') ?? span.name
    const parameters = held.json('tool.parameters', 'input.value')
    const result = held.any('output.value')
    return {
      ...(callId ? { callId } : {}),
      name,
      ...(parameters === undefined ? {} : { parameters }),
      ...(result === undefined ? {} : { result }),
    }
  },

  agentName: ({ attributes, name }) => {
    const told = attributes['agent.name']
    return typeof told === 'string' ? told : name
  },

  conversation: ({ attributes }) => {
    const id = attributes['session.id']
    return typeof id === 'string' ? id : undefined
  },
}

function promptOf(held: Held, request: JsonValue | undefined): HeldPrompt {
  const parameters = held.json('llm.invocation_parameters')
  const settings = isJsonObject(parameters) ? parameters : undefined
  const inRow = heldMessages(held.nested('llm.input_messages'))
  // LangChain's messages have the ids of calls there.
  const messages = isRequest(request)
    ? heldRequest(request).messages
    : (inRow ?? (isText(request) ? heldMessages(request) : undefined))
  const system = settings?.system ?? settings?.instructions
  const tools = heldTools(held.nested('llm.tools')) ?? heldTools(settings?.tools)
  return {
    ...(messages ? { messages: withInstructions(system, messages) } : {}),
    ...(tools ? { tools } : {}),
    ...(settings ? { parameters: requested(settings) } : {}),
  }
}

/** Whether a value is what was said: a text, or a list of messages, as a person who writes spans puts it there. */
function isText(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value)) return typeof value === 'string'
  return value.length > 0 && value.every((one) => isJsonObject(one) && typeof one.role === 'string')
}

/** The parameters, without what an answer has: instrumentations of agents write the whole of it there. */
function requested(settings: JsonObject): JsonObject {
  return settings.object === 'response' || settings.created_at !== undefined
    ? {}
    : parametersIn(settings)
}

function answerOf(
  held: Held,
  request: JsonValue | undefined,
  output: JsonValue | undefined,
): HeldAnswer {
  const whole =
    isJsonObject(output) || (Array.isArray(output) && isText(output))
      ? heldAnswer(output)
      : undefined
  const row = held.nested('llm.output_messages')
  // Those of a response of OpenAI are items of one answer, and no choices.
  const isOfItems = isJsonObject(request) && request.input !== undefined
  const inRow = isOfItems ? ofItems(row) : heldAnswer(row)
  const told = held.text('llm.finish_reason')
  const input = held.number('llm.token_count.prompt')
  const out = held.number('llm.token_count.completion')
  const cached = held.number('llm.token_count.prompt_details.cache_read')
  const thought = held.number('llm.token_count.completion_details.reasoning')
  const usage = {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(out === undefined ? {} : { output_tokens: out }),
    ...(cached ? { cache_read_input_tokens: cached } : {}),
    ...(thought ? { reasoning_output_tokens: thought } : {}),
  }
  const text = typeof output === 'string' ? heldAnswer(output) : undefined
  const read = isSaid(whole) ? whole : isSaid(inRow) ? inRow : (text ?? whole ?? inRow)
  return {
    text: '',
    ...(told ? { finish_reasons: [told] } : {}),
    ...read,
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  }
}

function ofItems(row: JsonValue | undefined): HeldAnswer | undefined {
  const items = heldMessages(row)
  return items && ofMessages(items, [])
}

function isSaid(answer: HeldAnswer | undefined): answer is HeldAnswer {
  return answer !== undefined && (answer.text !== '' || answer.tool_calls !== undefined)
}
