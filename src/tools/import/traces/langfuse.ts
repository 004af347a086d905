import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { arrayOf, defined, objectOf, stringOf, unlessEmpty } from '../../../providers/fields.ts'
import { heldAnswer, usageIn } from './answers.ts'
import { Held } from './held.ts'
import { parsed, heldMessages, heldTools, stringIn } from './messages.ts'
import type { HeldPrompt } from './model-call.ts'
import { isRequest, isUnset, parametersIn, heldRequest, withInstructions } from './requests.ts'
import {
  listAt,
  nanosOf,
  objectAt,
  type Convention,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

const SCOPE = 'langfuse'

/**
 * Exports of Langfuse (API of version 3): a trace with its observations, a list of observations, or one a line.
 */
export const langfuseExport: SpanSource = {
  name: 'an export of Langfuse',

  recognise: (value) =>
    isJsonObject(value) &&
    (Array.isArray(value.observations) ||
      isObservation(value) ||
      listOfObservations(value) !== undefined),

  spans(value, place) {
    const file = objectAt(value, place)
    const list = isObservation(file)
      ? [file]
      : (listOfObservations(file) ?? listAt(file.observations, place))
    const trace = isJsonObject(file.trace) ? file.trace : file
    return list.map((one, index) =>
      readObservation(one, trace, `${place}, observation ${index + 1}`),
    )
  },
}

const TYPE = /^(?:GENERATION|SPAN|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/

function isObservation(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && TYPE.test(stringOf(value.type) ?? '') && 'startTime' in value
}

function listOfObservations({ data }: JsonObject): JsonValue[] | undefined {
  return Array.isArray(data) && isObservation(data[0]) ? data : undefined
}

function readObservation(value: JsonValue, trace: JsonObject, place: string): TraceSpan {
  const observation = objectAt(value, place)
  const session = stringIn(trace, 'sessionId')
  const failed = observation.level === 'ERROR'
  return spanOf({
    traceId: stringIn(observation, 'traceId') ?? stringIn(trace, 'id') ?? '',
    id: stringIn(observation, 'id') ?? place,
    parentId: stringIn(observation, 'parentObservationId'),
    name: stringIn(observation, 'name') ?? '',
    start: nanosOf(observation.startTime, place),
    end: nanosOf(observation.endTime, place),
    attributes: {
      type: (stringIn(observation, 'type') ?? '').toLowerCase(),
      input: observation.input ?? null,
      output: observation.output ?? null,
      model: observation.model ?? observation.providedModelName ?? null,
      'model.parameters': observation.modelParameters ?? null,
      usage_details: observation.usageDetails ?? observation.usage ?? null,
      metadata: parsed(observation.metadata ?? null),
      ...(session ? { session } : {}),
    },
    events: [],
    failure: failed ? (stringIn(observation, 'statusMessage') ?? '') : undefined,
    scope: SCOPE,
    place,
  })
}

const PREFIX = 'langfuse.observation.'

/** What Langfuse keeps of a call: in its exports, and in the attributes that its SDKs send (5.11). */
export const langfuse: Convention = {
  name: 'Langfuse',
  contentSetting: 'take the masking function and LANGFUSE_TRACING_ENABLED=false away',

  kindOf(span) {
    const type = observed(span)?.type
    if (type === undefined) return undefined
    if (type === 'generation') return 'model'
    return type === 'agent' || type === 'tool' ? type : false
  },

  readCall(span) {
    const held = new Held({ ...span, attributes: observed(span) ?? {} })
    const input = held.json('input')
    const output = held.json('output')
    const settings = held.json('model.parameters')
    const fromAnswer = isJsonObject(output) && output.object === 'response' ? output : undefined
    const prompt = isRequest(input)
      ? heldRequest({ ...input, ...withRoles(input.messages) })
      : promptIn(input, held, fromAnswer)
    const metadata = objectOf(held.nested('metadata'))
    // LangChain tells the model that was asked for.
    const asked = stringIn(metadata, 'ls_model_name')
    const model = held.text('model', 'model.name')
    const parameters = { ...objectOf(settings), ...prompt.parameters }
    const stream = parameters.stream ?? parameters.is_stream
    const usage = usageIn(held.json('usage_details'))
    // The whole answer of a provider, whose id tells its wire format.
    const isBody = isJsonObject(output) && ('object' in output || 'stop_reason' in output)
    const isUsed = isOfAnswer(parameters) || Object.keys(parameters).length === 0
    const level = held.text('level')
    return {
      prompt: {
        operation: 'chat',
        ...defined({
          model: (asked ?? model) || undefined,
          provider: stringIn(metadata, 'ls_provider'),
        }),
        ...prompt,
        ...(isUsed ? {} : { parameters: given(parameters) }),
      },
      answer: { text: '', ...heldAnswer(output), ...(usage ? { usage } : {}) },
      failure: level === 'ERROR' ? (held.text('status_message') ?? '') : undefined,
      streamed: typeof stream === 'boolean' ? stream : undefined,
      responseId: isBody ? stringIn(output, 'id') : undefined,
      isAnsweredModel: (prompt.model ?? asked) === undefined,
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held({ ...span, attributes: observed(span) ?? {} })
    return { name: span.name, parameters: held.json('input'), result: held.json('output') }
  },

  agentName: ({ name }) => name,

  conversation: ({ attributes }) =>
    stringOf(attributes.session ?? attributes['session.id'] ?? attributes['langfuse.session.id']),
}

/** The observation that a span is; `undefined` for a span of somebody else. */
function observed({ attributes, scope }: TraceSpan): JsonObject | undefined {
  if (scope === SCOPE) return attributes
  if (attributes[`${PREFIX}type`] === undefined) return undefined
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
    ),
  )
}

/** A prompt without its request: messages, and what the metadata or the answer repeat of the request. */
function promptIn(
  input: JsonValue | undefined,
  held: Held,
  answer: JsonObject | undefined,
): HeldPrompt {
  // Its handler for LangChain writes each tool as a message.
  const list = arrayOf(input)
  const own = unlessEmpty(list.flatMap((one) => (isDefinition(one) ? one.content : [])))
  const messages = heldMessages(own ? list.filter((one) => !isDefinition(one)) : input)
  const tools = heldTools(own ?? answer?.tools ?? held.json('metadata.tools'))
  return defined({
    messages: messages && withInstructions(answer?.instructions, messages),
    tools: tools && unlessEmpty(tools),
  })
}

/** Its handler for LangChain in JavaScript leaves the role and the id out of the results of tools. */
function withRoles(messages: JsonValue | undefined): { messages?: JsonValue } {
  if (!Array.isArray(messages)) return {}
  return {
    messages: messages.map((one) =>
      isJsonObject(one) && one.role === undefined && one.additional_kwargs !== undefined
        ? { role: 'tool', content: one.content ?? null }
        : one,
    ),
  }
}

function isDefinition(value: JsonValue): value is { role: string; content: JsonObject } {
  if (!isJsonObject(value) || value.role !== 'tool' || !isJsonObject(value.content)) return false
  return value.content.type === 'function' && isJsonObject(value.content.function)
}

/** Whether the parameters are those of an answer, which says what was used and not what was asked. */
function isOfAnswer(parameters: JsonObject): boolean {
  return (
    'created_at' in parameters ||
    ('parallel_tool_calls' in parameters && !('max_tokens' in parameters))
  )
}

function given(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parametersIn(parameters)).filter(
      ([name, value]) =>
        name !== 'is_stream' && value !== -1 && !isUnset(value) && value !== '{"arrayValue":{}}',
    ),
  )
}
