import { join } from 'node:path'
import type {
  StoredCassette,
  StoredExchange,
  StoredRequest,
  StoredSent,
} from '../../../src/cassette/format/stored.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'

/** A cassette file of recorded exchanges, to be changed at will. */
export type EditedCassette = Omit<StoredCassette, 'exchanges'> & { exchanges: EditedExchange[] }

type EditedExchange = Required<Pick<StoredExchange, 'id' | 'prompt' | 'request' | 'response'>> & {
  response: { sent: StoredSent }
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
  request: StoredRequest
  body: JsonObject
  messages: JsonValue[]
} {
  const { request } = cassette.exchanges.at(-1)!
  const body = request.body as JsonObject
  return { request, body, messages: body.messages as JsonValue[] }
}

export function first({ exchanges }: EditedCassette): EditedExchange {
  return exchanges[0]!
}

/** What is sent to the first request. */
export function sent(cassette: EditedCassette): StoredSent {
  return first(cassette).response.sent
}

/** The message of the first answer, which calls a tool. */
export function message(cassette: EditedCassette): JsonObject {
  const body = sent(cassette).body as { choices: Array<{ message: JsonObject }> }
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
    return { ...template, id: `exchange-${index + 1}`, request: { ...template.request, body } }
  })
}

/** Adds a message to the last request. */
export function asked(value: JsonValue): HostileEdit['edit'] {
  return (cassette) => void lastBody(cassette).messages.push(value)
}

/** Puts a value in the place of the content of the first answer. */
export function answered(content: JsonValue): HostileEdit['edit'] {
  return (cassette) => void (message(cassette).content = content)
}

export function replaceBlob(change: (path: string, target: Target) => void): HostileEdit['edit'] {
  return ({ exchanges }, target) => {
    const [name] = /[0-9a-f]{64}\.png/.exec(JSON.stringify(exchanges))!
    change(join(target.blobs, name!), target)
  }
}

export function answer(text: string): HostileEdit['edit'] {
  return (cassette) => {
    const { response } = cassette.exchanges.at(-1)!
    response.text = [response.text!, text].flat()
  }
}
