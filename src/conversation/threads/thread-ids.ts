import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { jsonOf, textOf } from '../../wire/body.ts'
import { parseEventStream } from '../../wire/event-stream.ts'
import { tryParseJson } from '../../json/json-value.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Step } from './step.ts'

/** Fields with the id of the answer that a request goes on from. */
const PREVIOUS = ['previous_response_id', 'previous_interaction_id']

/** Fields with the id of the conversation that a request belongs to, kept by the provider. */
const CONVERSATION = ['conversation', 'conversation_id', 'thread_id', 'session_id', 'sessionId']

/** Paths with the id of a conversation or of an answer in them. */
const PATH_ID = /\/(?:threads|conversations|sessions|responses|interactions)\/([^/?]+)/

/** What a person wrote into one cassette is one conversation. */
const WRITTEN: ThreadIds = { from: ['written by hand'], to: ['written by hand'] }

/** The ids by which a request names its conversation, and those that its answer gives. */
export interface ThreadIds {
  /** The answer or conversation that the request goes on from. */
  from: string[]
  /** What later requests can go on from. */
  to: string[]
}

/** Reads the ids of an exchange whose history lies at the provider. */
export function threadIdsOf({ id, wire }: Step): ThreadIds {
  if (!wire) return WRITTEN
  const { request, response } = wire
  const asked = jsonOf(request.body)
  const body = isJsonObject(asked) ? asked : {}
  const path = PATH_ID.exec(URL.parse(request.url)?.pathname ?? '')?.[1]
  const conversations = [
    ...CONVERSATION.flatMap((name) => idsIn(body[name])),
    ...(path ? [path] : []),
  ]
  return {
    from: [
      ...idsIn(request.after),
      ...PREVIOUS.flatMap((name) => idsIn(body[name])),
      ...conversations,
    ],
    to: [id, ...(response ? answerIds(response) : []), ...conversations],
  }
}

function answerIds({ body }: WireResponse): string[] {
  if (body.kind === 'json') return idsOfAnswer(body.value)
  if (body.kind !== 'events') return []
  // The first event that has an id has that of the whole answer.
  for (const { data } of parseEventStream(textOf({ ...body, events: body.events.slice(0, 5) }))) {
    const ids = idsOfAnswer(tryParseJson(data) ?? null)
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
