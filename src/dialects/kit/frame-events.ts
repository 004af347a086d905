import { tryParseJson, type JsonObject } from '../../json/json-value.ts'
import { frameText, type Frame } from '../../wire/amazon-frames.ts'
import type { AnswerEvent } from './answer-event.ts'
import { objectOf, stringOf, unlessEmpty, type Field } from './fields.ts'

/** The events of an answer in frames. The chunks of an invoked model hold the model's own events. */
export function eventsInFrames(frames: readonly Frame[]): AnswerEvent[] {
  return frames.map((frame) => {
    if ('bytes' in frame) return { type: '', data: {}, text: '', broken: true }
    const text = frameText(frame)
    if ('headers' in frame) return exception(frame.headers, frame.data, text)
    const data = chunkOf(frame.chunk, frame.data)
    return { type: stringOf(data.type) ?? frame.event, data, text }
  })
}

/** An exception has a payload; an error has its code and message in its headers. */
function exception(headers: Record<string, string>, data: Field, text: string): AnswerEvent {
  const kind = headers[':message-type']
  if (kind !== 'exception' && kind !== 'error') {
    return { type: headers[':event-type'] ?? '', data: objectOf(data), text }
  }
  const message = headers[':error-message'] ?? headers[':exception-type'] ?? headers[':error-code']
  const error: JsonObject = unlessEmpty(objectOf(data)) ?? { message: message ?? text }
  return { type: 'error', data: { error }, text }
}

function chunkOf(chunk: Field, data: Field): JsonObject {
  const payload = objectOf(data)
  if (chunk !== undefined) return objectOf(typeof chunk === 'string' ? tryParseJson(chunk) : chunk)
  // Base64 that could not be decoded without loss may still hold an event.
  if (typeof payload.bytes !== 'string') return payload
  return objectOf(tryParseJson(Buffer.from(payload.bytes, 'base64').toString()))
}
