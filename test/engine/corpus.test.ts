import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { writeBody } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../corpus.ts'
import { bareJson } from '../bare-json.ts'
import { throughFile } from '../cassette/through-file.ts'

eachCorpus((corpus) => {
  test('every request has the same hash after re-spacing and shuffling of its keys', () => {
    let compared = 0
    for (const exchange of corpus) {
      const text = bytesOf(exchange.request_body, exchange.request_body_encoding).toString()
      const value = parseOrUndefined(text)
      if (value === undefined) continue
      compared++
      const respelled = JSON.stringify(shuffleKeys(value, compared), null, 3)
      expect(hashOf(exchange, respelled), exchange.url).toBe(hashOf(exchange, text))
    }
    console.log(`${compared} of ${corpus.length} requests are JSON and were respelled`)
    expect(compared).toBeGreaterThan(0.8 * corpus.length)
  })

  test('no two different requests share a hash', () => {
    const byHash = new Map<string, string>()
    for (const exchange of corpus) {
      const text = bytesOf(exchange.request_body, exchange.request_body_encoding).toString()
      const value = parseOrUndefined(text)
      const request = requestOf(exchange, text)
      const content = [
        request.method,
        request.url,
        value === undefined ? text : withoutCallIds(sorted(value)),
      ].join(' ')
      const hash = readIncoming(request).hash
      expect(byHash.get(hash) ?? content, `${exchange.url} collides`).toBe(content)
      byHash.set(hash, content)
    }
    console.log(`${byHash.size} different requests, ${byHash.size} hashes`)
  })

  test('every answer replays byte for byte through the cassette file, but for white space that no layout gives', () => {
    const streams = corpus.filter(({ streaming }) => streaming).length
    let spaced = 0
    for (const exchange of corpus) {
      const bytes = bytesOf(exchange.response_body, exchange.response_body_encoding)
      const replayed = replayedThroughFile(exchange, bytes)
      if (replayed.equals(bytes)) continue
      spaced++
      const [back, sent] = [replayed, bytes].map((all) => all.toString('latin1'))
      expect(bareJson(back!) === bareJson(sent!), exchange.url).toBe(true)
    }
    console.log(
      `${corpus.length} answers replayed, ${streams} of them streams, ${spaced} without white space`,
    )
  })
})

function replayedThroughFile(exchange: CorpusExchange, bytes: Buffer): Buffer {
  const incoming = readIncoming(
    requestOf(exchange, bytesOf(exchange.request_body, exchange.request_body_encoding).toString()),
  )
  const contentType = header(exchange, 'content-type')
  const response = {
    status: Math.max(200, exchange.status),
    headers: { 'content-type': contentType },
    body: readBody(bytes, contentType),
  }
  const cassette = {
    conversationId: 'corpus',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([{ incoming, response }]),
  }
  const [replayed] = throughFile(cassette).loaded.exchanges
  expect(readIncoming(replayed!.wire!.request).hash, exchange.url).toBe(incoming.hash)
  return Buffer.concat(writeBody(replayed!.wire!.response!.body))
}

function requestOf(exchange: CorpusExchange, text: string): WireRequest {
  return { method: exchange.method, url: addressOf(exchange), body: readBody(Buffer.from(text)) }
}

function hashOf(exchange: CorpusExchange, text: string): string {
  return readIncoming(requestOf(exchange, text)).hash
}

function header({ response_headers }: CorpusExchange, name: string): string {
  const entry = Object.entries(response_headers ?? {}).find(([key]) => key.toLowerCase() === name)
  return String(entry?.[1] ?? '')
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Properties of a schema keep their order, which counts. */
function shuffleKeys(value: unknown, seed: number, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, seed))
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value)
  const [shuffled] = fc.sample(fc.shuffledSubarray(keys, { minLength: keys.length }), {
    seed,
    numRuns: 1,
  })
  const order = name === 'properties' ? keys : shuffled!
  return Object.fromEntries(
    order.map((key) => [key, shuffleKeys((value as Record<string, unknown>)[key], seed, key)]),
  )
}

const CALL_ID = /"(?:tool_call_id|call_id|tool_use_id|toolUseId|toolCallId|id)":"([^"]*)"/g

/** Numbers the ids of calls in the order in which they appear, whatever else stands around them. */
function withoutCallIds(text: string): string {
  const ids = new Set([...text.matchAll(CALL_ID)].map(([, id]) => id!))
  let number = 0
  for (const id of ids) text = text.replaceAll(JSON.stringify(id), `"#${++number}"`)
  return text
}

/** A second, independent canonical form: nothing but sorted keys. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, child]) => `${JSON.stringify(key)}:${sorted(child)}`)
    .toSorted()
    .join()}}`
}
