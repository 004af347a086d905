import { isJsonObject, tryParseJson } from '../json/json-value.ts'
import { readText, textOf, type Body } from './body.ts'
import { readBody } from './read-body.ts'
import type { WireRequest, WireResponse } from './message.ts'

/** A frame of one side of a socket: a text, bytes, or the end. */
export type SocketFrame =
  | { text: string }
  | { bytes: Uint8Array }
  | { close: { code: number; reason: string } }

/** The marks of a line that is no plain JSON text. */
const MARKED = /^\{"@(?:text|json|bytes|close)":/

/** The type of an answer whose lines are the frames of a server. */
const TYPE = 'application/x-ndjson'

/** The frames of a server before the next frame of the client, as an answer with a line for each frame. */
export function framesAnswer(frames: readonly SocketFrame[]): WireResponse {
  return {
    status: 200,
    headers: { 'content-type': TYPE },
    get body() {
      return readBody(Buffer.from(frames.map((frame) => `${lineOf(frame)}\n`).join('')), TYPE)
    },
  }
}

/** The frames in such an answer. */
export function framesOf({ body }: WireResponse): SocketFrame[] {
  return textOf(body).split('\n').filter(Boolean).map(frameOf)
}

/** A frame of a client as the body of a request. */
export function frameBody(frame: SocketFrame): Body {
  if ('text' in frame) return readText(frame.text)
  return 'bytes' in frame ? readBody(frame.bytes) : { kind: 'empty' }
}

/** JSON stands as it was sent; `@json` is JSON that was sent as bytes, as Gemini does. */
function lineOf(frame: SocketFrame): string {
  if ('close' in frame) return JSON.stringify({ '@close': frame.close })
  if ('text' in frame) {
    const isPlain = isLine(frame.text) && !MARKED.test(frame.text)
    return isPlain ? frame.text : JSON.stringify({ '@text': frame.text })
  }
  const bytes = Buffer.from(frame.bytes)
  const text = bytes.toString()
  return isLine(text) && Buffer.from(text).equals(bytes)
    ? `{"@json":${text}}`
    : JSON.stringify({ '@bytes': bytes.toString('base64') })
}

function frameOf(line: string): SocketFrame {
  if (!MARKED.test(line)) return { text: line }
  if (line.startsWith('{"@json":')) return { bytes: Buffer.from(line.slice(9, -1)) }
  const marked = JSON.parse(line) as {
    '@text'?: string
    '@bytes'?: string
    '@close'?: { code: number; reason: string }
  }
  if (marked['@close']) return { close: marked['@close'] }
  if (marked['@text'] !== undefined) return { text: marked['@text'] }
  return { bytes: Buffer.from(marked['@bytes'] ?? '', 'base64') }
}

function isLine(text: string): boolean {
  return !/[\r\n]/.test(text) && isJsonObject(tryParseJson(text))
}

/** The exchange before a message on the same socket, by its id. */
export function messageBefore({ method, after }: WireRequest): string | undefined {
  return method === 'SEND' ? after : undefined
}
