import type { JsonValue } from '../../src/json/json-value.ts'
import { readBody } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

/** A request that was sent as JSON. */
export function requestTo(url: string, body: unknown): WireRequest {
  return { method: 'POST', url, body: readBody(bytesOf(JSON.stringify(body))) }
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

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
