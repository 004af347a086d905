import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import type { Message } from '../../../prompt/prompt.ts'
import { defined, jsonObject, unlessEmpty } from '../../../providers/fields.ts'
import { ifSentBy, isOtherLimit } from './ai-sdk-settings.ts'
import { heldAnswer, usageTold } from './answers.ts'
import { Held, numberIn } from './held.ts'
import { parsed, heldMessage, heldMessages, heldTools } from './messages.ts'
import type { HeldAnswer, HeldPrompt } from './model-call.ts'
import { spokenDialect } from './provider-words.ts'
import { isUnset, withInstructions } from './requests.ts'
import type { Convention, SpanEvent, SpanKind, TraceSpan } from './span.ts'

/** What the operations of OpenTelemetry's conventions are. */
const KINDS: Record<string, SpanKind | false> = {
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  completion: 'model',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: false,
  invoke_workflow: 'agent',
  embeddings: false,
}

/** The name under which the AI SDK 7 writes spans. */
const AI_SDK_7 = 'gen_ai'

/** Traceloop's words for spans that are no call of a model. */
const TRACELOOP_KINDS: Record<string, SpanKind | false> = {
  workflow: 'agent',
  agent: 'agent',
  task: false,
  tool: 'tool',
}

/** The attributes that only the call of a model has. */
const OF_A_CALL =
  /^gen_ai\.(?:input\.messages|prompt(?:\.\d|$)|completion(?:\.\d|$)|request\.model$|content\.)/

/**
 * OpenTelemetry's conventions for generative AI: those of today (semantic conventions 1.42, attributes, or an event),
 * those with an event for each message (1.28 to 1.36), and those of OpenLLMetry before, with attributes in a row.
 */
export const genai: Convention = {
  name: 'OpenTelemetry’s conventions',
  contentSetting:
    'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true (OpenTelemetry’s own; captureMessageContent in its options), ' +
    'TRACELOOP_TRACE_CONTENT=true (Traceloop; traceContent in its options), or recordInputs and recordOutputs (the AI SDK)',

  kindOf({ attributes, events }) {
    const operation = attributes['gen_ai.operation.name'] ?? attributes['llm.request.type']
    if (typeof operation === 'string' && operation in KINDS) return KINDS[operation]
    const kind = attributes['traceloop.span.kind']
    if (typeof kind === 'string' && kind in TRACELOOP_KINDS) return TRACELOOP_KINDS[kind]
    if (Object.keys(attributes).some((name) => OF_A_CALL.test(name))) return 'model'
    return events.some(({ name }) => name === 'gen_ai.choice') ? 'model' : undefined
  },

  readCall(span) {
    // Today's events hold what attributes hold otherwise.
    const details = span.events.filter(({ name }) => name.startsWith('gen_ai.client.inference'))
    const attributes = Object.assign(
      {},
      span.attributes,
      ...details.map((one) => one.attributes),
    ) as JsonObject
    const held = new Held({ attributes, place: span.place })
    const input = inputOf(held, span)
    const messages = input && withInstructions(held.json('gen_ai.system_instructions'), input)
    const tools = toolsIn(held)
    const model = held.text('gen_ai.request.model')
    const answered = held.text('gen_ai.response.model')
    const provider = held.text('gen_ai.provider.name', 'gen_ai.system')
    const streamed = held.any(
      'gen_ai.request.stream',
      'llm.is_streaming',
      'gen_ai.request.is_stream',
    )
    const responseId = held.text('gen_ai.response.id')
    const prompt: HeldPrompt = defined({
      provider: provider || undefined,
      operation: 'chat',
      model: (model ?? answered) || undefined,
      messages,
      tools,
      parameters: parametersOf(held),
    })
    // The AI SDK of version 7, whose spans hold what was set.
    const settings = span.scope === AI_SDK_7 ? Object.keys(prompt.parameters ?? {}) : []
    const words = [provider ?? '', spokenDialect(provider, responseId) ?? '']
    return {
      prompt,
      answer: answerOf(held, span.events),
      ifSent: ifSentBy(words, model, settings),
      isOtherLimit: isOtherLimit(words, settings),
      streamed: typeof streamed === 'boolean' ? streamed : undefined,
      responseId,
      isAnsweredModel: model === undefined && Boolean(answered),
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held(span)
    return {
      callId: held.text('gen_ai.tool.call.id') || undefined,
      name: held.text('gen_ai.tool.name', 'traceloop.entity.name') || undefined,
      parameters: held.json('gen_ai.tool.call.arguments', 'traceloop.entity.input'),
      result: held.json('gen_ai.tool.call.result', 'traceloop.entity.output'),
    }
  },

  agentName: ({ attributes, name }) =>
    [attributes['gen_ai.agent.name'], attributes['traceloop.entity.name'], name].find(
      (one) => typeof one === 'string',
    ) as string,

  conversation: ({ attributes }) =>
    [
      attributes['gen_ai.conversation.id'],
      attributes['traceloop.association.properties.session_id'],
      attributes['session.id'],
    ].find((one) => typeof one === 'string') as string | undefined,
}

/** The messages that were sent, from wherever one of the conventions has them. */
function inputOf(held: Held, span: TraceSpan): Message[] | undefined {
  const today = heldMessages(held.json('gen_ai.input.messages'))
  if (today) return today.flatMap(unfolded)
  const inRow = held.nested('gen_ai.prompt')
  if (inRow !== undefined) return heldMessages(inRow)
  const each = span.events.flatMap(messageOfEvent)
  return each.length > 0 ? each : undefined
}

/** Traceloop writes the input of OpenAI's responses as the JSON of its items in one text. */
function unfolded(message: Message): Message[] {
  const [part, ...others] = message.parts
  if (part?.type !== 'text' || others.length > 0 || !/^\[\{".*\}\]$/s.test(part.text))
    return [message]
  const items = parsed(part.text)
  const isOfItems =
    Array.isArray(items) &&
    items.every(
      (item) =>
        isJsonObject(item) &&
        (typeof item.role === 'string' || 'call_id' in item || item.type === 'reasoning'),
    )
  return isOfItems ? items.map(heldMessage) : [message]
}

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/

function messageOfEvent({ name, attributes }: SpanEvent): Message[] {
  const [, role] = MESSAGE_EVENT.exec(name) ?? []
  if (role !== undefined) {
    const { content, tool_calls: calls } = attributes
    if (content === undefined && calls === undefined) return []
    const told = jsonObject({
      content: content && parsedList(content),
      tool_calls: calls && parsed(calls),
    })
    return [heldMessage({ ...attributes, role, name: null, ...told })]
  }
  const flat = name === 'gen_ai.content.prompt' ? attributes['gen_ai.prompt'] : undefined
  if (flat === undefined || flat === null) return []
  const messages = heldMessages(parsed(flat))
  return typeof flat === 'string' && messages?.length === 1 ? [flatMessage(flat)] : (messages ?? [])
}

/** OpenLIT writes a message as a line that begins with its role. */
function flatMessage(text: string): Message {
  const [, role, said] = /^(system|developer|user|assistant): (.*)$/s.exec(text) ?? []
  return { role: role ?? 'user', parts: [{ type: 'text', text: said ?? text }] }
}

/** The parts of a content that is the text of their JSON. */
function parsedList(content: JsonValue): JsonValue {
  const value = typeof content === 'string' && content.startsWith('[{') ? parsed(content) : content
  return Array.isArray(value) ? value : content
}

function answerOf(held: Held, events: readonly SpanEvent[]): HeldAnswer {
  const reasons = held.texts('gen_ai.response.finish_reasons')
  const usage = heldUsage(held)
  const read =
    heldAnswer(held.json('gen_ai.output.messages')) ??
    heldAnswer(held.nested('gen_ai.completion')) ??
    heldAnswer(choicesIn(events))
  const finish = reasons && reasons.length > 0 ? { finish_reasons: reasons.slice(0, 1) } : {}
  return { text: '', ...finish, ...read, ...(usage ? { usage } : {}) }
}

function choicesIn(events: readonly SpanEvent[]): JsonValue | undefined {
  const choices = events.flatMap(({ name, attributes }): JsonObject[] => {
    if (name === 'gen_ai.content.completion')
      return [{ message: { content: attributes['gen_ai.completion'] ?? null } }]
    if (name !== 'gen_ai.choice') return []
    const message = parsed(attributes.message ?? null)
    const { index, finish_reason: reason = null } = attributes
    const said = isJsonObject(message) ? message : { content: attributes.content ?? message }
    return [{ index: numberIn(index) ?? 0, finish_reason: reason, message: said }]
  })
  return choices.length > 0 ? { choices } : undefined
}

function heldUsage(held: Held): HeldAnswer['usage'] {
  return usageTold({
    input_tokens: held.number('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
    output_tokens: held.number('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'),
    cache_read_input_tokens: held.number(
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
    ),
    cache_creation_input_tokens: held.number(
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
    ),
    reasoning_output_tokens: held.number(
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.reasoning_tokens',
    ),
  })
}

function toolsIn(held: Held): HeldPrompt['tools'] {
  return (
    heldTools(held.structure('gen_ai.tool.definitions')) ??
    heldTools(held.nested('llm.request.functions') ?? undefined)
  )
}

const NO_PARAMETERS = new Set(['model', 'stream', 'is_stream', 'structured_output_schema'])

/** The parameters of a request: `gen_ai.request.temperature` is `temperature`. */
function parametersOf(held: Held): HeldPrompt['parameters'] {
  const prefix = 'gen_ai.request.'
  const found = Object.entries(held.attributes).flatMap(
    ([name, value]): Array<[string, JsonValue]> => {
      if (!name.startsWith(prefix)) return []
      const own = name.slice(prefix.length)
      // OpenLIT writes -1 for a limit that was not given.
      return NO_PARAMETERS.has(own) || isUnset(value) || value === -1 ? [] : [[own, value]]
    },
  )
  return unlessEmpty(Object.fromEntries(found))
}
