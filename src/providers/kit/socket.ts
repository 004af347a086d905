import type { Completion } from '../../prompt/completion.ts'
import { jsonOf } from '../../wire/body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type AnswerFormat } from './read-answer.ts'
import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import { pathOf } from './envelope.ts'
import { objectOf, stringOf } from '../fields.ts'

/** Whether a request is the handshake of a socket to such a path, or a message on it. */
export function isOnSocket(request: WireRequest, path: RegExp): boolean {
  if (!path.test(pathOf(request))) return false
  const { method, body } = request
  if (method === 'GET') return body.kind === 'empty'
  return method === 'SEND' && isJsonObject(jsonOf(body))
}

/** Reads the messages of the server before the next message of the client; often there are none. */
export function readSocketAnswer(response: WireResponse, format: AnswerFormat): Completion {
  if (response.body.kind === 'empty' && response.status < 300)
    return { text: '', toolCalls: [], finishReasons: [] }
  return readAnswer(response, format)
}

/** An event without the mark of a binary message. */
export function unmarked({ data, ...event }: AnswerEvent): AnswerEvent {
  const value = objectOf(data['@json'] ?? data)
  return { ...event, type: stringOf(value.type) ?? event.type, data: value }
}

/** A body that came as one event. */
export function onlyEvent(data: JsonObject): AnswerEvent[] {
  return [unmarked({ type: stringOf(data.type) ?? '', data, text: '' })]
}
