import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { printSealed } from '../../src/cassette/format.ts'
import { followedAddressesOf } from '../../src/engine/followed-addresses.ts'
import { textsOfCassette } from '../../src/secrets/texts-of-cassette.ts'
import { scanText } from '../../src/secrets/find/scan-text.ts'
import { LEADING_HEADERS } from '../../src/wire/headers.ts'
import { keepUnchanged } from '../../src/recording/keep-unchanged.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import { headerPairs } from '../../src/wire/message.ts'
import { keepHeaders } from '../../src/wire/read-body.ts'
import { exampleCassette } from '../cassette/example-cassette.ts'

/** Headers that clients show to their applications, and that differ in every recording of the same answer. */
const SHOWN = [
  'anthropic-ratelimit-input-tokens-limit',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-tokens-reset',
  'apim-request-id',
  'openai-processing-ms',
  'request-id',
  'x-amzn-requestid',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-tokens',
  'x-request-id',
]

const IDS = [
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  'req_4f0b1bd2a0f24c0fb6a3a1f3a7a2f3c5',
  '7f1a2b3c-0001',
]

/** A cassette of one answer with what its provider told beside it, as it is written. */
function recordedWith(told: string, timestamp: string): string {
  const { stored } = encodeCassette(cassetteWith(told, timestamp), 'schema.json')
  return printSealed(stored)
}

function cassetteWith(told: string, timestamp: string, text = 'Hello'): Cassette {
  const cassette: Cassette = { ...exampleCassette({}), timestamp }
  const { wire, response } = cassette.exchanges[0]!
  response.text = text
  wire!.response!.body = readText(JSON.stringify({ text }))
  for (const name of SHOWN) wire!.response!.headers[name] = told
  return cassette
}

test('what an answer says is kept, and who, where or when is not', () => {
  const told = Object.fromEntries(SHOWN.map((name) => [name, '1']))
  const kept = { ...told, 'content-type': 'application/json', 'x-model-version': 'b' }
  const sent = new Headers({
    ...kept,
    'cf-ray': 'a1',
    'content-encoding': 'gzip',
    'openai-organization': 'acme',
    'transfer-encoding': 'chunked',
    'x-amzn-bedrock-invocation-latency': '7',
    'x-api-key': 'sk-live',
    'x-ratelimit-limit-images': '9',
    'x-tenant-id': 'acme',
    date: 'Mon, 01 Jan 2026 00:00:00 GMT',
    traceparent: '00-1-1-01',
  })
  expect(keepHeaders(sent)).toEqual(kept)
})

test('cookies are kept without what they hold, one a line, and none is found expired', () => {
  const sent = new Headers([
    ['set-cookie', 'session=s3cr3t; Path=/; Max-Age=60; Expires=Mon, 01 Jan 2026 00:00:00 GMT'],
    ['Set-Cookie', 'old=; Max-Age=0'],
  ])
  const kept = keepHeaders(sent)
  expect(kept).toEqual({ 'set-cookie': 'session=<REDACTED:session>; Path=/\nold=; Max-Age=0' })
  expect(headerPairs(kept)).toEqual([
    ['set-cookie', 'session=<REDACTED:session>; Path=/'],
    ['set-cookie', 'old=; Max-Age=0'],
  ])
})

test('a header that came twice is one, and one with a line break is none', () => {
  const pairs: Array<[string, string]> = [
    ['X-Note', 'a'],
    ['x-note', 'b'],
    ['x-odd', 'a\nset-cookie: b'],
  ]
  expect(keepHeaders(pairs)).toEqual({ 'x-note': 'a, b' })
})

test.each(LEADING_HEADERS)('%s leads on, without its key', (name) => {
  const sent = { [name]: 'https://ada:x@example.com/upload?upload_id=u1&key=k1' }
  const headers = keepHeaders(new Headers(sent))
  expect(headers).toEqual({ [name]: 'https://example.com/upload?upload_id=u1' })
  const asked = {
    method: 'POST',
    url: 'https://api.example.com/',
    body: { kind: 'empty' },
  } as const
  const leads = followedAddressesOf(asked, { status: 200, headers, body: { kind: 'empty' } })
  expect(leads.map(({ to }) => to.host)).toEqual(['example.com'])
})

test('to record the same answer again changes nothing, whatever is told beside it', () => {
  const old = cassetteWith(IDS[0]!, '2026-01-01T00:00:00.000Z')
  const settle = keepUnchanged()
  const same = settle(old, cassetteWith(IDS[1]!, '2026-02-01T00:00:00.000Z'))
  expect(same.exchanges[0]!.wire!.response).toEqual(old.exchanges[0]!.wire!.response)
  expect(same.timestamp).toBe(old.timestamp)
  const other = settle(old, cassetteWith(IDS[1]!, '2026-02-01T00:00:00.000Z', 'Bye'))
  expect(other.timestamp).toContain('2026-02-01')
  expect(textOf(other.exchanges[0]!.wire!.response!.body)).toContain('Bye')
})

test.each(IDS)('%s is no credential', (id) => {
  const text = recordedWith(id, '2026-01-01T00:00:00.000Z')
  const stored = recognizeCassette(text)!
  expect(stored).toBeDefined()
  const texts = textsOfCassette(stored, []).texts
  expect(texts.flatMap(({ text }) => scanText(text))).toEqual([])
})
