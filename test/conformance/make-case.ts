import { encodeCassette } from '../../src/cassette/encode.ts'
import type { StoredCassette } from '../../src/cassette/format.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { preloadParts } from '../../src/real/load-later.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { Params } from '../../src/conversation/params.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { Imported } from '../../src/wire/imported.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import type { Ask, Case } from './case.ts'

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

/** The outcome that the author of a case means; the test holds the engine against it. */
export type Meant = string | { refused: string }

export type MadeUp = Omit<Case, 'requests' | 'level'> & {
  requests: Array<[ask: Ask, meant: Meant]>
}

export const CHAT = 'https://api.openai.com/v1/chat/completions'

/** A question to a chat model, as a client sends it. */
export function ask(content: unknown, more: object = {}, url: string = CHAT): Ask {
  return post({ model: 'gpt-5', messages: [{ role: 'user', content }], ...more }, url)
}

export function post(body: unknown, url: string = CHAT): Ask {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: text }
}

type Answer = Partial<WireResponse> & { sent?: string }

export function say(content: string): Answer {
  return {
    sent: JSON.stringify({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  }
}

interface Recording {
  env?: Record<string, string>
  params?: Record<string, string | number>
  mark?: Partial<WireRequest>
  /** What the readable part of each exchange notes beside its text. */
  noted?: { kept?: true; mocked?: true }
}

/** A cassette with recordings of these requests, and the files of its blobs in base64. */
export function record(
  turns: Array<[ask: Ask, answer: Answer]>,
  { env = {}, params, mark, noted }: Recording = {},
): { cassette: StoredCassette; blobs?: Record<string, string> } {
  const declared = new Params(params)
  const recorded = turns.map(
    ([
      { method, url, headers = {}, body = '', base64 = Buffer.from(body).toString('base64') },
      { sent = '', ...answer },
    ]) => {
      const bytes = new Uint8Array(Buffer.from(base64, 'base64')).buffer
      const redactor = declared.around(redactorFor(Object.entries(headers), new URL(url), [], env))
      const wire = wireRequest({ method, url, headers: new Headers(headers), body: bytes })
      const type = answer.headers?.['content-type'] ?? 'application/json'
      const read = readBody(Buffer.from(sent), type)
      const response = { status: 200, headers: { 'content-type': type }, body: read, ...answer }
      return {
        incoming: readIncoming({ ...redactor.request(wire), ...mark }),
        response: redactor.response(response),
      }
    },
  )
  const cassette: Cassette = {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(params ? { params } : {}),
    exchanges: describeTurns(recorded).map((exchange) => ({
      ...exchange,
      response: { ...exchange.response, ...noted },
    })),
  }
  const { stored, blobs } = encodeCassette(cassette, '../../cassette.schema.json')
  const files = [...blobs].map(([name, bytes]) => [name, bytes.toString('base64')])
  return { cassette: stored, ...(files.length > 0 ? { blobs: Object.fromEntries(files) } : {}) }
}

export function written(...exchanges: object[]): { cassette: object } {
  const head = {
    version: '1.0',
    conversation_id: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00Z',
  }
  return { cassette: { ...head, exchanges } }
}

/** A file that was edited. */
export function edit<Stored>(
  recorded: { cassette: Stored },
  change: (file: any) => void,
): { cassette: Stored } {
  const cassette = structuredClone(recorded.cassette)
  change(cassette)
  return { ...recorded, cassette }
}

export const imported = (more: Partial<Imported>): Recording => ({
  mark: { imported: { from: 'nock', ...more } },
})
export const MISS = { refused: 'unmatched' }
export const HELLO = ask('Where is my order?')
export const ONE = record([[HELLO, say('It was shipped.')]])
export const TWO = record([
  [HELLO, say('It was shipped.')],
  [ask('When does it come?'), say('On Monday.')],
])
export const SSE = { headers: { 'content-type': 'text/event-stream' } }
export const delta = (content: string): string =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content } }] })
export const stream = (end: string, ...data: string[]): string =>
  data.map((one) => `data: ${one}${end}${end}`).join('')
export const STREAMED = stream('\n', ...['It ', 'was ', 'shipped', '.'].map(delta), '[DONE]')
