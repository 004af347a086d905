import {
  type Exchange,
  type ResponseSummary,
  type Cassette,
  isRecorded,
} from '../cassette/cassette.ts'
import { hashOfText } from '../cassette/written.ts'
import { type JsonValue, isJsonObject, type JsonObject, tryParseJson } from '../json/json-value.ts'
import { valueAt } from '../json/walk.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Message, Part, Prompt, Tool } from '../prompt/prompt.ts'
import { entryContent, contextOf, readableTime } from './context.ts'
import type { ContextEntry } from './context-file.ts'
import { dialectOf } from '../providers/dialects.ts'
import { defined, stringOf, without } from '../providers/fields.ts'
import { remember } from '../remember.ts'
import { jsonOf } from '../wire/body.ts'
import { fieldsOf } from '../wire/event-stream.ts'
import { isMcpAddress } from '../wire/address.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { messageBefore } from '../wire/socket-frames.ts'
import { restoreUsage } from './usage.ts'

/** An exchange as its dialect reads it. */
export interface Step {
  /** Which of several agents of a trace has asked. */
  agent?: string
  /** The id of its exchange. */
  id: string
  prompt: Prompt
  completion: Completion
  /** Absent if a person wrote the exchange; without a response if a person wrote the answer. */
  wire?: { request: WireRequest; response?: WireResponse }
}

/** A step that comes from a cassette. */
export interface RecordedStep extends Step {
  exchange: Exchange
  /** The name of the dialect: `openai-chat`, … or `generic`; absent where a person wrote the exchange. */
  dialect?: string
  /** When the request was made and when its answer had ended, ISO 8601. */
  asked: string
  answered: string
  /** The time of each new message, if the exchange was made from a conversation that has times. */
  times: string[]
}

/**
 * Reads every exchange of a cassette, in order. A cassette keeps one time; the steps count on from it
 * by the recorded durations.
 */
export function readSteps({ timestamp, exchanges }: Cassette): RecordedStep[] {
  let time = Date.parse(timestamp)
  return exchanges.map((exchange, index) => {
    const times = timesOf(exchange)
    const asked = times[0] ?? new Date(time).toISOString()
    time += exchange.response.duration_ms ?? 0
    return {
      id: exchange.id,
      exchange,
      ...readExchange(exchange, exchanges[index - 1]),
      asked,
      answered: times.at(-1) ?? new Date(time).toISOString(),
      times,
    }
  })
}

/**
 * Reads the prompt and the answer of an exchange.
 *
 * @param before the exchange that stands before it in the cassette
 */
export function readExchange(
  exchange: Exchange,
  before: Exchange | undefined,
): Omit<Step, 'id'> & Pick<RecordedStep, 'dialect'> {
  const { wire, response } = exchange
  if (!wire) {
    const agent = valueAt(exchange.prompt.metadata, ['traced', 'thread'])
    return {
      prompt: promptOf(exchange, before),
      completion: writtenCompletion(response),
      ...(typeof agent === 'string' ? { agent } : {}),
    }
  }
  const dialect = dialectOf(wire.request)
  const completion = isRecorded(exchange)
    ? dialect.readCompletion(exchange.wire.response)
    : writtenCompletion(response)
  return { dialect: dialect.name, wire, prompt: dialect.readPrompt(wire.request), completion }
}

function timesOf(exchange: Exchange): string[] {
  const context = contextOf(exchange)
  if (context) {
    const entries = [...context.before, context.answer]
    return entries.map(({ timestamp }) => readableTime(timestamp))
  }
  const { timestamps } = exchange.prompt.metadata
  if (!Array.isArray(timestamps)) return []
  return timestamps.filter((time) => typeof time === 'string')
}

/** Fields with the id of the answer that a request continues. */
export const PREVIOUS: readonly string[] = ['previous_response_id', 'previous_interaction_id']

/** Fields with the id of the conversation that a request belongs to, kept by the provider. */
const CONVERSATION = ['conversation', 'conversation_id', 'thread_id', 'session_id', 'sessionId']

/** Paths with the id of a conversation or of an answer in them. */
const PATH_ID = /\/(?:threads|conversations|sessions|responses|interactions)\/([^/?]+)/

/** The hand-written exchanges of one cassette are one conversation, but those of several agents of a trace. */
const WRITTEN = ['written by hand']

/** The ids of the answer or conversation that a request continues. */
export function idsBefore({ wire, agent }: Step): string[] {
  if (!wire) return agent === undefined ? WRITTEN : [agent]
  const { request } = wire
  const body = bodyOf(request)
  const previous = PREVIOUS.flatMap((name) => idsIn(body[name]))
  return [...idsIn(messageBefore(request)), ...previous, ...conversationsOf(request, body)]
}

/** The ids by which later requests can continue an exchange whose history the provider stores. */
export function idsAfter({ id, wire, agent }: Step): string[] {
  if (!wire) return agent === undefined ? WRITTEN : [agent]
  const { request, response } = wire
  const answered = response ? answerIds(response) : []
  return [id, ...answered, ...conversationsOf(request, bodyOf(request))]
}

function bodyOf(request: WireRequest): JsonObject {
  const asked = jsonOf(request.body)
  return isJsonObject(asked) ? asked : {}
}

function conversationsOf({ url }: WireRequest, body: JsonObject): string[] {
  // All calls of one MCP server are one conversation.
  if (isMcpAddress(url)) return [url]
  return [...CONVERSATION.flatMap((name) => idsIn(body[name])), ...idsOfPath(url)]
}

const idsOfPath = remember((url): string[] => {
  const path = PATH_ID.exec(URL.parse(url)?.pathname ?? '')?.[1]
  return path ? [path] : []
})

function answerIds({ body }: WireResponse): string[] {
  if (body.kind === 'json') return idsOfAnswer(body.value)
  if (body.kind !== 'events') return []
  // The first id among the events is that of the whole answer.
  for (const event of body.events.slice(0, 5)) {
    const { data } = typeof event === 'string' ? fieldsOf(event) : event
    const value = typeof data === 'string' ? tryParseJson(data) : data
    const ids = idsOfAnswer(value ?? null)
    if (ids.length > 0) return ids
  }
  return []
}

function idsOfAnswer(value: JsonValue): string[] {
  if (!isJsonObject(value)) return []
  const answer: JsonObject = isJsonObject(value.response) ? value.response : value
  return [...idsIn(answer.id), ...idsIn(answer.conversation)]
}

function idsIn(value: JsonValue | undefined): string[] {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' && id !== '' ? [id] : []
}

/** The answer in the readable half of an exchange. Its calls have no ids. */
export function writtenCompletion(response: ResponseSummary): Completion {
  const { text, reasoning, tool_calls: calls = [], usage, error, incomplete } = response
  return defined({
    text,
    reasoning,
    toolCalls: calls.map(({ tool_name: name, parameters }) => ({ name, arguments: parameters })),
    finishReasons: response.finish_reasons ?? [],
    usage: usage && restoreUsage(usage),
    incomplete: incomplete || undefined,
    error,
  })
}

/** The prompt of an exchange without a wire half, as far as a person wrote it. */
export function promptOf(exchange: Exchange, before: Exchange | undefined): Prompt {
  const { prompt } = exchange
  const context = contextOf(exchange)
  const { provider, operation, model, ...parameters } = prompt.metadata
  const { context: _, ...beside } = parameters
  const tools = toldTools(prompt.metadata)
  const told = without(context ? beside : parameters, tools ? ['tools', 'traced'] : ['traced'])
  return defined({
    provider: stringOf(provider) ?? 'any',
    operation: stringOf(operation) ?? 'chat',
    model: stringOf(model),
    parameters: told,
    messages: context
      ? context.before.map(messageOf)
      : sendsResults(prompt.text, before)
        ? []
        : [{ role: 'user', parts: [{ type: 'text', text: prompt.text }] }],
    tools: tools ?? [],
  })
}

/** The tools that the metadata of a written exchange tell; `undefined` where they tell none. */
export function toldTools({ tools }: JsonObject): Tool[] | undefined {
  if (!Array.isArray(tools) || !tools.every((tool) => isJsonObject(tool) && 'name' in tool))
    return undefined
  return tools as unknown as Tool[]
}

function messageOf(entry: ContextEntry): Message {
  const { text, userId, call } = entryContent(entry)
  const said: Part[] = text === '' ? [] : [{ type: 'text', text }]
  const { name, parameters } = call ?? {}
  const called: Part[] = name ? [{ type: 'tool_call', name, arguments: parameters! }] : []
  const extra = userId === undefined ? {} : { extra: { name: userId } }
  return { role: entry.role, parts: [...said, ...called], ...extra }
}

/** Whether a request only sends the results of calls: its text is still that of the exchange before. */
function sendsResults(text: string, before: Exchange | undefined): boolean {
  if (!before || before.wire || before.prompt.text !== text) return false
  return (before.response.tool_calls ?? []).length > 0
}

/** Whether it is the placeholder for further parameters in the description of the history format. */
export function isOtherParams(name: string, value: JsonValue): boolean {
  return name === 'other_params' && value === 'as_needed'
}

/** The hash of the text of {@link questionOf}. */
export function hashOfQuestion(prompt: Prompt): string {
  return hashOfText(questionOf(prompt) ?? '')
}

/** The text of the last message of the user, or else of the instructions; `undefined` where there are none either. */
export function questionOf(prompt: Prompt): string | undefined {
  return lastQuestion(prompt)
    ?.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n')
}

/** The last message of the user, or else the last instructions. Some formats send results of calls as the user. */
export function lastQuestion({ messages }: Prompt): Message | undefined {
  const asks = (by: string[]): Message | undefined =>
    messages.findLast(
      ({ role, parts }) =>
        by.includes(role) && parts.some(({ type }) => type !== 'tool_call_response'),
    )
  return asks(['user']) ?? asks(['system', 'developer'])
}
