import { expect } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { Matcher } from '../../src/engine/match.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { redactFields } from '../../src/secrets/known-fields.ts'
import { digestIn } from '../../src/transports/intercept/call/wire-request.ts'
import { keepAskingHeaders } from '../../src/wire/headers.ts'
import { readBody, readText } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'

export const RULES = { repeats: 'strict', unordered: false } as const

export function ask(headers: Record<string, string>, more: JsonObject = {}): WireRequest {
  const messages = [{ role: 'user', content: 'Where is it?' }]
  return {
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    ...keepAskingHeaders(new Headers(headers), digestIn('https://llm.example.com')),
    body: redactFields(readText(JSON.stringify({ model: 'claude', messages, ...more })), 'client'),
  }
}

export const answer: WireResponse = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: readBody(Buffer.from('{"type":"message","content":[]}')),
}

/** What was recorded, as the file of a version gives it back. */
export function recorded(version: string, ...requests: WireRequest[]): Cassette {
  const exchanges = describeTurns(
    requests.map((wire) => ({ incoming: readIncoming(wire), response: answer })),
  )
  const timestamp = '2026-01-01T00:00:00.000Z'
  const cassette = { conversationId: 'a.test.ts > asks', timestamp, exchanges }
  const { stored } = encodeCassette(cassette, 'schema.json')
  return reread(printCassette({ ...stored, version }))
}

export function reread(text: string): Cassette {
  const stored = parseCassette(text)
  expect(recognizeCassette(text)).toEqual(stored)
  return decodeCassette(stored, () => Buffer.of())
}

export const matching = (cassette: Cassette): Matcher =>
  new Matcher(cassette, { rare: () => rareCases })

export function answers(cassette: Cassette, wire: WireRequest): boolean {
  const found = matching(cassette).next(readIncoming(wire), RULES)
  // Word for word it answers what it answers by its hash.
  const byHash = matching(cassette).answering(readIncoming(wire)).length > 0
  expect(found?.isVerbatim ?? false).toBe(byHash)
  return found !== undefined
}

export const beta = (value: string): WireRequest => ask({ 'anthropic-beta': value })
