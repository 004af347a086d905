import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { defined, objectOf, stringOf } from '../../../providers/fields.ts'
import { heldAnswer, ofMessages, usageTold } from './answers.ts'
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
    const settings = objectOf(parameters)
    const asked = stringOf(settings.model)
    const isStreamed = (settings.stream ?? objectOf(request).stream) === true
    const output = held.json('output.value')
    return {
      prompt: {
        operation: 'chat',
        ...defined({
          provider: provider || undefined,
          model: (asked ?? model) || undefined,
        }),
        ...prompt,
      },
      answer: answerOf(held, request, output),
      streamed: prompt.isWhole ? isStreamed : isStreamed || undefined,
      responseId: stringOf(objectOf(output).id),
      isAnsweredModel: (prompt.model ?? asked) === undefined && model !== undefined,
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held(span)
    return {
      callId: held.text('tool_call.id', 'tool.id') || undefined,
      name: held.text('tool.name', 'tool_call.function.name') ?? span.name,
      parameters: held.json('tool.parameters', 'input.value'),
      result: held.any('output.value'),
    }
  },

  agentName: ({ attributes, name }) => stringOf(attributes['agent.name']) ?? name,

  conversation: ({ attributes }) => stringOf(attributes['session.id']),
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
  return defined({
    messages: messages && withInstructions(system, messages),
    tools,
    parameters: settings && requested(settings),
  })
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
  const usage = usageTold({
    input_tokens: held.number('llm.token_count.prompt'),
    output_tokens: held.number('llm.token_count.completion'),
    cache_read_input_tokens: held.number('llm.token_count.prompt_details.cache_read') || undefined,
    reasoning_output_tokens:
      held.number('llm.token_count.completion_details.reasoning') || undefined,
  })
  const text = typeof output === 'string' ? heldAnswer(output) : undefined
  const read = isSaid(whole) ? whole : isSaid(inRow) ? inRow : (text ?? whole ?? inRow)
  return {
    text: '',
    ...(told ? { finish_reasons: [told] } : {}),
    ...read,
    ...(usage ? { usage } : {}),
  }
}

function ofItems(row: JsonValue | undefined): HeldAnswer | undefined {
  const items = heldMessages(row)
  return items && ofMessages(items, [])
}

function isSaid(answer: HeldAnswer | undefined): answer is HeldAnswer {
  return answer !== undefined && (answer.text !== '' || answer.tool_calls !== undefined)
}
