import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'

/** A cassette file of recorded exchanges, to be changed at will. */
export interface EditedCassette {
  version: string
  conversation_id: string
  hashes?: Record<string, { prompt: string; answer?: string }>
  exchanges: EditedExchange[]
}

interface EditedExchange {
  id: string
  prompt: { text: string; hash: string }
  response: { text: string; tool_calls?: Array<{ parameters: JsonValue }> }
  wire: {
    request: { url: string; body: JsonValue }
    response: { status: number; headers: Record<string, string>; hash?: string; body: JsonValue }
  }
}

/** Where a cassette is, and a folder outside of the project that belongs to someone else. */
export interface Target {
  /** The path of the cassette. */
  file: string
  text: string
  blobs: string
  outside: string
}

/** What a stranger does to a cassette in a pull request. */
export interface HostileEdit {
  name: string
  /** Changes the cassette, or returns what the file holds from now on. */
  edit(cassette: EditedCassette, target: Target): string | Uint8Array | void
  /** Takes seconds to read; commands that read it once more say nothing new. */
  isHeavy?: boolean
  /** The checks of `verify` of which at least one says so. */
  named: string[]
}

export const GIGANTIC = 1_000_000

/** What a cassette says that replay refuses to read. */
export const READ: string[] = ['unreadable']

export function lastBody(cassette: EditedCassette): {
  wire: EditedExchange['wire']
  messages: JsonValue[]
} {
  const { wire } = cassette.exchanges.at(-1)!
  return { wire, messages: (wire.request.body as JsonObject).messages as JsonValue[] }
}

export function first({ exchanges }: EditedCassette): EditedExchange {
  return exchanges[0]!
}

/** The message of the first answer, which calls a tool. */
export function message(cassette: EditedCassette): JsonObject {
  const body = first(cassette).wire.response.body as { choices: Array<{ message: JsonObject }> }
  return body.choices[0]!.message
}

export function callArguments(cassette: EditedCassette, text: string): void {
  const [call] = message(cassette).tool_calls as Array<{ function: JsonObject }>
  call!.function.arguments = text
}

/** Exchanges of which each names the one before it several times. */
export function explode(
  cassette: EditedCassette,
  next: (before: string, length: number) => JsonValue,
): void {
  const template = first(cassette)
  cassette.exchanges = Array.from({ length: 60 }, (_, index) => {
    const body = index === 0 ? { messages: [{}] } : next(`exchange-${index}`, 2 ** (index - 1))
    const request = { ...template.wire.request, body }
    return { ...template, id: `exchange-${index + 1}`, wire: { ...template.wire, request } }
  })
}

export function same(reference: JsonObject): (cassette: EditedCassette) => void {
  return (cassette) => void lastBody(cassette).messages.push(reference)
}

export function replaceBlob(change: (path: string, target: Target) => void): HostileEdit['edit'] {
  return ({ exchanges }, target) => {
    const [name] = /[0-9a-f]{64}\.png/.exec(JSON.stringify(exchanges))!
    change(join(target.blobs, name!), target)
  }
}

export function answer(text: string): HostileEdit['edit'] {
  return (cassette) => void (cassette.exchanges.at(-1)!.response.text += text)
}
