import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import { completionOf, isPlainText, type PartReader, readResult } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, flatten, jsonObject, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { messageOf } from '../kit/messages.ts'
import { type AnswerFormat, errorMessage, readAnswer } from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import {
  argumentsText,
  eachSaid,
  isOpen,
  splitWords,
  withCallIds,
  writeAnswer,
} from '../kit/write-answer.ts'
import { readOpenAiTool } from '../openai/openai-messages.ts'
import { INTERACTIONS_RESPONSE } from './gemini-places.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'
import { Taken, takenCall, takenResult, takePart, takePrompt, takeText } from '../kit/taken.ts'

/** Gemini's interactions, in which the server keeps the conversation. */
export const geminiInteractions: Dialect = {
  name: 'gemini-interactions',
  places: INTERACTIONS_RESPONSE,

  claims(request) {
    if (!isSentTo(request, '/interactions')) return false
    const { model, agent, input } = bodyOf(request)
    const asks = typeof input === 'string' || isJsonObject(input) || arrayOf(input).length > 0
    return (typeof model === 'string' || typeof agent === 'string') && asks
  },

  readPrompt(request) {
    const prompt = takePrompt(request, 'chat', (body) => {
      const system = body.text('system_instruction')
      const input = body.holds('input') ? [body.any('input')!] : [body.said('input') ?? []].flat()
      return {
        messages: [
          ...(system === undefined ? [] : [messageOf('system', system)]),
          ...input.map(readInteractionStep),
        ],
        tools: body.list('tools').map(readOpenAiTool),
      }
    })
    return { ...prompt, parameters: flatten(prompt.parameters, 'generation_config') }
  },

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion(said, request) {
    const completion = withCallIds(said, request)
    const { model, agent, stream } = bodyOf(request)
    const { finishReasons, toolCalls, incomplete, usage } = completion
    const usual = toolCalls.length > 0 ? 'requires_action' : 'completed'
    const head = jsonObject({ id: 'v1_interaction', object: 'interaction', model, agent })
    const ended = jsonObject({
      ...head,
      status: finishReasons[0] ?? (incomplete ? undefined : usual),
      usage: usage && writeUsage(USAGE, usage),
    })
    const steps = stepsOf(completion)
    if (stream !== true) return writeAnswer(completion, { whole: { ...ended, steps } })
    const events = [
      event('interaction.created', { interaction: { ...head, status: 'in_progress' } }),
      ...steps.flatMap(stepEvents),
      ...(isOpen(completion) ? [] : [event('interaction.completed', { interaction: ended })]),
    ]
    return writeAnswer(completion, { events })
  },
}

const FORMAT: AnswerFormat = {
  read(body) {
    const messages = arrayOf(body.steps).map(readInteractionStep)
    const parts = messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
    const [failure] = arrayOf(body.errors)
    return {
      ...completionOf(parts, body.status),
      usage: readUsage(USAGE, body.usage),
      error: errorMessage(failure),
    }
  },

  join(events) {
    const drafts = new Drafts<Draft>()
    let interaction: JsonObject = {}
    let whole = false
    for (const { type: name, data } of events) {
      const type = stringOf(data.event_type) ?? name
      // An interaction that continues ends more than once.
      whole = whole || type === 'interaction.completed'
      interaction = { ...interaction, ...known(objectOf(data.interaction)) }
      const index = numberOf(data.index) ?? 0
      if (type === 'step.start') drafts.set(index, newDraft(objectOf(data.step)))
      if (type === 'step.delta') addTo(drafts.at(index, newDraft), objectOf(data.delta))
    }
    // The last event has the steps only if they are few.
    const steps =
      arrayOf(interaction.steps).length > 0 ? interaction.steps! : drafts.inOrder().map(stepOf)
    return { body: { ...interaction, ...(whole ? {} : { status: null }), steps }, whole }
  },
}

/** As in all APIs of Gemini, thoughts are counted beside the output. */
const USAGE: UsageFormat = {
  inputTokens: 'total_input_tokens',
  outputTokens: 'total_output_tokens',
  cacheReadInputTokens: 'total_cached_tokens',
  reasoningOutputTokens: 'total_thought_tokens',
  thoughtsBeside: true,
  alsoInput: 'total_tool_use_tokens',
  total: 'total_tokens',
}

/** The types of content that hold something other than text, inline or behind a link. */
const MEDIA = new Set(['image', 'audio', 'video', 'document'])

/** Reads a step of an interaction: a message, a thought, a call or its result. */
function readInteractionStep(value: JsonValue): Message {
  if (!isJsonObject(value)) return messageOf('user', value)
  const type = stringOf(value.type) ?? ''
  if (type === 'user_input') return readParts(value, 'type', 'content', 'user')
  if (type === 'model_output') return readParts(value, 'type', 'content', 'assistant')
  if (type === 'thought') return readThought(value)
  if (type.endsWith('_call')) return readCall(value, type.slice(0, -'_call'.length))
  if (type.endsWith('_result')) return readCallResult(value)
  // Any other value is the content of a step, or a turn of the first version of the API.
  if (typeof value.role === 'string') return readParts(value, 'role', 'content', value.role)
  const rest = new Remainder()
  const part = readInteractionPart(value, 'content', rest)
  return { role: 'user', parts: [part ?? { type: 'other', value }], ...rest.extra }
}

/** Reads a piece of content. */
const readInteractionPart: PartReader = takePart((part) => {
  const { type } = part
  if (type === 'text') return takeText(part, 'text', 'text')
  if (!MEDIA.has(type)) return undefined
  // The part of a link has no media type, so the type stays in the rest.
  const data = part.text('data')
  if (data !== undefined) return blobOf(data, part.text('mime_type'))
  const uri = part.text('uri')
  return uri === undefined ? undefined : contentAt(uri)
})

function readThought(value: JsonObject): Message {
  const { parts, ...message } = readParts(value, 'type', 'summary', 'assistant')
  const thoughts = parts.map((part): Part =>
    part.type === 'text' ? { ...part, type: 'reasoning' } : part,
  )
  return { ...message, parts: thoughts }
}

/** A step whose parts stand in a list, and whose role or type is known. */
function readParts(value: JsonObject, known: string, list: string, role: string): Message {
  const step = new Taken(value)
  step.any(known)
  return { role, parts: step.parts(list, readInteractionPart), ...step.extra }
}

/** A call of a function of the application, or of a tool that Google runs. */
function readCall(value: JsonObject, kind: string): Message {
  const step = new Taken(value)
  const name = step.text('name')
  // The type names the tool. If the tool has a name of its own, the type tells whose tool it is, and stays in the
  // rest.
  if (kind === 'function' || name === undefined) step.any('type')
  const part = takenCall(step.text('id'), name ?? kind, step.any('arguments') ?? {})!
  return { role: 'assistant', parts: [part], ...step.extra }
}

function readCallResult(value: JsonObject): Message {
  const step = new Taken(value)
  step.is('type', 'function_result')
  const result = readResult(step.any('result'), readInteractionPart)
  return { role: 'tool', parts: [takenResult(step.text('call_id'), result)], ...step.extra }
}

/** One step of a streamed interaction, as received so far. */
interface Draft {
  step: JsonObject
  content: JsonValue[]
  summary: JsonValue[]
  /** The JSON text of a call's arguments. */
  input: string
}

function newDraft(step: JsonObject = {}): Draft {
  return {
    step,
    content: [...arrayOf(step.content)],
    summary: [...arrayOf(step.summary)],
    input: '',
  }
}

function addTo(draft: Draft, delta: JsonObject): void {
  const { type, content, ...fields } = delta
  if (type === 'text') append(draft.content, delta)
  else if (type === 'thought_summary') append(draft.summary, objectOf(content))
  else if (type === 'arguments_delta') draft.input += stringOf(delta.arguments) ?? ''
  else if (type === 'thought_signature' || content === undefined)
    draft.step = { ...draft.step, ...fields }
  else draft.content.push(delta)
}

/** Appends a text to the last one. */
function append(list: JsonValue[], piece: JsonObject): void {
  const last = list.at(-1)
  if (isPlainText(last) && isPlainText(piece)) {
    list[list.length - 1] = { ...last, text: last.text + piece.text }
  } else list.push(piece)
}

function stepOf({ step, content, summary, input }: Draft): JsonObject {
  return {
    ...step,
    ...(content.length > 0 ? { content } : {}),
    ...(summary.length > 0 ? { summary } : {}),
    ...(input === '' ? {} : { arguments: tryParseJson(input) ?? input }),
  }
}

function stepsOf(completion: Completion): JsonObject[] {
  return eachSaid(completion, {
    reasoning: (text) => ({ type: 'thought', summary: [{ type: 'text', text }] }),
    text: (text) => ({ type: 'model_output', content: [{ type: 'text', text }] }),
    call: ({ id, name, arguments: input }) =>
      jsonObject({ type: 'function_call', id, name, arguments: input }),
  })
}

function stepEvents(step: JsonObject, index: number): StreamEvent[] {
  const { content, summary, arguments: input, ...opened } = step
  const pieces = (list: JsonValue | undefined): JsonObject[] =>
    ((list ?? []) as { text: string }[]).flatMap(({ text }) =>
      splitWords(text).map((piece) => ({ type: 'text', text: piece })),
    )
  const deltas: JsonObject[] = [
    ...pieces(summary).map((piece) => ({ type: 'thought_summary', content: piece })),
    ...pieces(content),
    ...(input === undefined ? [] : [{ type: 'arguments_delta', arguments: argumentsText(input) }]),
  ]
  return [
    event('step.start', {
      index,
      step: input === undefined ? opened : { ...opened, arguments: {} },
    }),
    ...deltas.map((delta) => event('step.delta', { index, delta })),
    event('step.stop', { index }),
  ]
}

function event(event_type: string, fields: JsonObject): StreamEvent {
  return { event: event_type, data: { ...fields, event_type } }
}
