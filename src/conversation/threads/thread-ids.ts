import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { jsonOf } from '../../wire/body.ts'
import { fieldsOf } from '../../wire/event-stream.ts'
import { isMcpAddress } from '../../wire/mcp-address.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { Step } from './step.ts'

/** Fields with the id of the answer that a request continues. */
export const PREVIOUS: readonly string[] = ['previous_response_id', 'previous_interaction_id']

/** Fields with the id of the conversation that a request belongs to, kept by the provider. */
const CONVERSATION = ['conversation', 'conversation_id', 'thread_id', 'session_id', 'sessionId']

/** Paths with the id of a conversation or of an answer in them. */
const PATH_ID = /\/(?:threads|conversations|sessions|responses|interactions)\/([^/?]+)/

/** The hand-written exchanges of one cassette are one conversation. */
const WRITTEN = ['written by hand']

/** The ids of the answer or conversation that a request continues. */
export function idsBefore({ wire }: Step): string[] {
  if (!wire) return WRITTEN
  const { request } = wire
  const body = bodyOf(request)
  const previous = PREVIOUS.flatMap((name) => idsIn(body[name]))
  return [...idsIn(request.after), ...previous, ...conversationsOf(request, body)]
}

/** The ids by which later requests can continue an exchange whose history the provider stores. */
export function idsAfter({ id, wire }: Step): string[] {
  if (!wire) return WRITTEN
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
  const path = PATH_ID.exec(URL.parse(url)?.pathname ?? '')?.[1]
  return [...CONVERSATION.flatMap((name) => idsIn(body[name])), ...(path ? [path] : [])]
}

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
  if (isJsonObject(value)) return idsIn(value.id)
  return typeof value === 'string' && value !== '' ? [value] : []
}
