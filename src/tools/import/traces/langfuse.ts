import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
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

const TYPES = new Set([
  'GENERATION',
  'SPAN',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
])

function isObservation(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    TYPES.has(value.type) &&
    'startTime' in value
  )
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
    const metadata = held.nested('metadata')
    // LangChain tells the model that was asked for.
    const asked = isJsonObject(metadata) ? stringIn(metadata, 'ls_model_name') : undefined
    const provider = isJsonObject(metadata) ? stringIn(metadata, 'ls_provider') : undefined
    const model = held.text('model', 'model.name')
    const parameters = { ...(isJsonObject(settings) ? settings : {}), ...prompt.parameters }
    const stream = parameters.stream ?? parameters.is_stream
    const usage = usageIn(held.json('usage_details'))
    const id = isJsonObject(output) && isBody(output) ? stringIn(output, 'id') : undefined
    const isUsed = isOfAnswer(parameters) || Object.keys(parameters).length === 0
    const level = held.text('level')
    return {
      prompt: {
        operation: 'chat',
        ...((asked ?? model) ? { model: (asked ?? model)! } : {}),
        ...(provider ? { provider } : {}),
        ...prompt,
        ...(isUsed ? {} : { parameters: given(parameters) }),
      },
      answer: { text: '', ...heldAnswer(output), ...(usage ? { usage } : {}) },
      ...(level === 'ERROR' ? { failure: held.text('status_message') ?? '' } : {}),
      ...(typeof stream === 'boolean' ? { streamed: stream } : {}),
      ...(id ? { responseId: id } : {}),
      ...((prompt.model ?? asked) === undefined ? { isAnsweredModel: true } : {}),
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held({ ...span, attributes: observed(span) ?? {} })
    const parameters = held.json('input')
    const result = held.json('output')
    return {
      name: span.name,
      ...(parameters === undefined ? {} : { parameters }),
      ...(result === undefined ? {} : { result }),
    }
  },

  agentName: ({ name }) => name,

  conversation: ({ attributes }) => {
    const id = attributes.session ?? attributes['session.id'] ?? attributes['langfuse.session.id']
    return typeof id === 'string' ? id : undefined
  },
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
  const list = Array.isArray(input) ? input : []
  const defined = list.flatMap((one) => (isDefinition(one) ? one.content : []))
  const messages = heldMessages(
    defined.length > 0 ? list.filter((one) => !isDefinition(one)) : input,
  )
  const tools = heldTools(
    defined.length > 0 ? defined : (answer?.tools ?? held.json('metadata.tools')),
  )
  const isHeld = tools && tools.length > 0
  return {
    ...(messages ? { messages: withInstructions(answer?.instructions, messages) } : {}),
    ...(isHeld ? { tools } : {}),
  }
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

/** Whether an output is the whole answer of a provider, whose id tells its wire format. */
function isBody(output: JsonObject): boolean {
  return 'object' in output || 'stop_reason' in output
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
