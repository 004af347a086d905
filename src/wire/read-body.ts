import { splitFrames } from './amazon-frames.ts'
import { type Body, readText } from './body.ts'
import { splitEventStream } from './event-stream.ts'
import { readForm } from './form-data.ts'
import { splitJsonLines } from './ndjson.ts'
import { readUtf8 } from './utf8.ts'

const JSON_LINES = /^application\/(?:x-ndjson|json-lines|jsonl|stream\+json)\b/

/** Reads a body. The content type only decides whether a text is a stream, and of what. */
export function readBody(bytes: Uint8Array, contentType: string = ''): Body {
  return readContent(bytes, contentType, true)
}

function readContent(bytes: Uint8Array, contentType: string, spelled: boolean): Body {
  if (bytes.length === 0) return { kind: 'empty' }
  const frames = splitFrames(bytes)
  if (frames) return { kind: 'frames', frames }
  const text = readUtf8(bytes)
  if (text === undefined) return { kind: 'bytes', bytes }
  if (contentType.startsWith('text/event-stream'))
    return { kind: 'events', ...splitEventStream(text) }
  if (JSON_LINES.test(contentType)) return { kind: 'lines', ...splitJsonLines(text) }
  return readText(text, spelled)
}

/**
 * Reads the body of a request, which is compared and never sent again: a form becomes its parts, and the spelling of
 * JSON does not count. JSON with a key twice in an object stays a text, since providers differ in which they read.
 */
export function readRequestBody(bytes: Uint8Array, contentType: string): Body {
  const parts = readForm(bytes, contentType)
  return parts ? { kind: 'form', parts } : readContent(bytes, '', false)
}
