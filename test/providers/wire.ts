import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { writeFrame } from '../../src/wire/amazon-frames.ts'
import { writeBody } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

/** A request that was sent as JSON. */
export function requestTo(url: string, body: unknown, method: string = 'POST'): WireRequest {
  return { method, url, body: readBody(bytesOf(JSON.stringify(body))) }
}

/** An answer that came at once, as JSON or as any other text. */
export function answer(body: unknown, status: number = 200): WireResponse {
  const isText = typeof body === 'string'
  const type = isText ? 'text/html' : 'application/json'
  const bytes = bytesOf(isText ? body : JSON.stringify(body))
  return { status, headers: { 'content-type': type }, body: readBody(bytes, type) }
}

/** An answer that came as a stream of events. */
export function stream(...events: string[]): WireResponse {
  const type = 'text/event-stream; charset=utf-8'
  const body = readBody(bytesOf(events.join('')), type)
  return { status: 200, headers: { 'content-type': type }, body }
}

/** An answer that came as lines of JSON. */
export function streamOfLines(...lines: string[]): WireResponse {
  const type = 'application/x-ndjson'
  const body = readBody(bytesOf(lines.join('')), type)
  return { status: 200, headers: { 'content-type': type }, body }
}

/** An answer that came in frames of Amazon's event stream, spelled byte by byte. */
export function streamOfFrames(...events: string[]): WireResponse {
  const type = 'application/vnd.amazon.eventstream'
  const body = readBody(Buffer.from(events.join(''), 'latin1'), type)
  return { status: 200, headers: { 'content-type': type }, body }
}

/** Frames by the name of their event, spelled byte by byte. */
export function frames(...events: [name: string, data: JsonObject][]): string[] {
  return events.map(([event, data]) => spelled(writeFrame({ event, data })))
}

/** Frames that carry the events of a model that was invoked. */
export function chunks(...values: JsonObject[]): string[] {
  return values.map((chunk) => spelled(writeFrame({ event: 'chunk', chunk, data: { p: 'ab' } })))
}

/** The frame of an exception. */
export function exceptionFrame(name: string, data: JsonObject): string {
  const headers = {
    ':exception-type': name,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return spelled(writeFrame({ headers, data }))
}

/** Lines of JSON. */
export function jsonLines(...values: (JsonValue | undefined)[]): string[] {
  return values.map((value) => `${JSON.stringify(value)}\n`)
}

/** Events without names. */
export function data(...values: (JsonValue | undefined)[]): string[] {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`)
}

/** Events named after the `type` of their data. */
export function named(...values: { type: string; [field: string]: JsonValue }[]): string[] {
  return values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`)
}

/** The last event of chat completions. */
export const DONE = 'data: [DONE]\n\n'

function spelled(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What is written goes to the application as bytes. */
export function throughWire(response: WireResponse): WireResponse {
  const bytes = Buffer.concat(writeBody(response.body))
  return { ...response, body: readBody(bytes, response.headers['content-type']) }
}
