import { splitFrames } from './amazon-frames.ts'
import { remember } from '../remember.ts'
import { type Body, readText } from './body.ts'
import { splitEventStream } from './event-stream.ts'
import { readForm } from './form-data.ts'
import { splitJsonLines } from './ndjson.ts'
import { readUtf8 } from './utf8.ts'
import { placeholderOf } from '../text/placeholder.ts'
import { HEADER_VALUE, isKeptHeader, LEADING_HEADERS } from './headers.ts'
import { SET_COOKIE } from './message.ts'
import { keepLocation } from './query/location.ts'
import { isCredentialParameter } from './url.ts'

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

const LEADING: ReadonlySet<string> = new Set(LEADING_HEADERS)

/** Each answer of a provider has the same headers. */
const isKept = remember(
  (name) => isKeptHeader(name) && (name === SET_COOKIE || !isCredentialParameter(name)),
)

/** The headers of an answer that are kept: all but those of the connection, of the call, and of an account. */
export function keepHeaders(
  headers: Iterable<[name: string, value: string]>,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [spelled, value] of headers) {
    const name = spelled.toLowerCase()
    if (!HEADER_VALUE.test(value) || !isKept(name)) continue
    if (name === SET_COOKIE) kept[name] = [kept[name] ?? [], hideCookie(value)].flat().join('\n')
    else
      kept[name] = [kept[name] ?? [], LEADING.has(name) ? keepLocation(value) : value]
        .flat()
        .join(', ')
  }
  return kept
}

/** A cookie with nothing of an account in it, and that a replay does not find expired. One that was hidden stays. */
export function hideCookie(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const at = pair.indexOf('=')
  const [name, value] = at < 0 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)]
  const hidden = value.trim() === '' ? value : placeholderOf(name.trim() || 'cookie')
  const isGone = attributes.some((one) => /^\s*max-age\s*=\s*(?:0|-)/i.test(one))
  const kept = isGone
    ? attributes
    : attributes.filter((one) => !/^\s*(?:expires|max-age)\s*=/i.test(one))
  return [`${name}=${hidden}`, ...kept].join(';')
}
