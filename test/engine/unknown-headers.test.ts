import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { mergeTurns } from '../../src/recording/smallest-diff/merge-turns.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { Matcher } from '../../src/engine/match.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { redactFields } from '../../src/secrets/find/known-fields.ts'
import { digestIn } from '../../src/secrets/wire-request.ts'
import { keepAskingHeaders } from '../../src/providers/asking-headers.ts'
import { readText } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { Imported } from '../../src/wire/imported.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { MAY_BE_PLACEHOLDER, holdsText } from '../../src/text/holds-text.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'

const RULES = { repeats: 'strict', unordered: false } as const

function ask(headers: Record<string, string>, more: JsonObject = {}): WireRequest {
  const messages = [{ role: 'user', content: 'Where is it?' }]
  return {
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    ...keepAskingHeaders(
      new Headers(headers),
      digestIn('https://llm.example.com'),
      'https://llm.example.com',
    ),
    body: redactFields(readText(JSON.stringify({ model: 'claude', messages, ...more })), 'client'),
  }
}

/** The mark of a request that another tool recorded without its headers. */
const imported: Imported = { from: 'har', unknown: ['headers'] }

const answer: WireResponse = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: readBody(Buffer.from('{"type":"message","content":[]}')),
}

/** What was recorded, as its file gives it back. */
function recorded(...requests: WireRequest[]): Cassette {
  const exchanges = describeTurns(
    requests.map((wire) => ({ incoming: readIncoming(wire), response: answer })),
  )
  const timestamp = '2026-01-01T00:00:00.000Z'
  const cassette = { conversationId: 'a.test.ts > asks', timestamp, exchanges }
  const text = printCassette(encodeCassette(cassette, 'schema.json').stored)
  const stored = parseCassette(text)
  expect(recognizeCassette(text)).toEqual(stored)
  return decodeCassette(stored, () => Buffer.of())
}

const matching = (cassette: Cassette): Matcher => new Matcher(cassette, { rare: () => rareCases })

function answers(cassette: Cassette, wire: WireRequest): boolean {
  const found = matching(cassette).next(readIncoming(wire), RULES)
  // Word for word it answers what it answers by its hash.
  const byHash = matching(cassette).answering(readIncoming(wire)).length > 0
  // What looks like a placeholder in a request as it is sent is none.
  expect(found?.isVerbatim ?? false).toBe(byHash && !holdsText(wire.body, MAY_BE_PLACEHOLDER))
  return found !== undefined
}

const beta = (value: string): WireRequest => ask({ 'anthropic-beta': value })

test('a recording that knows the headers answers the same headers alone', () => {
  const cassette = recorded(beta('b, a'))
  expect(answers(cassette, beta('a,b'))).toBe(true)
  expect(answers(cassette, beta('b,a,,b'))).toBe(true)
  expect(answers(cassette, beta('a'))).toBe(false)
  expect(answers(cassette, beta('a,b,c'))).toBe(false)
  expect(answers(cassette, ask({}))).toBe(false)
  expect(answers(recorded(ask({})), beta('a'))).toBe(false)
})

test('headers of the tools of other servers, properties, hosts and what stands beside a secret count', () => {
  const tool = (value: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-readonly': value, 'x-key': value } }],
  })
  const properties = (...names: string[]): JsonObject => ({
    tools: [{ input_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
  const tenant = (name: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-tenant': name } }],
  })
  const url = (name: string): WireRequest => ({
    ...ask({}),
    url: `https://${name}.us-east-1.aws.endpoints.huggingface.cloud/v1/messages`,
  })
  const pairs: Array<[known: WireRequest, asked: WireRequest]> = [
    [ask({}), ask({ accept: 'audio/mpeg' })],
    [ask({}, tool('true')), ask({}, tool('false'))],
    [ask({}, properties('a', 'b')), ask({}, properties('b', 'a'))],
    [ask({}, tenant('<REDACTED:x-tenant>')), ask({}, tenant('acme-7f3e9b2c1'))],
    [url('a'), url('b')],
    [ask({}), ask({}, { temperature: 1 })],
  ]
  for (const [known, asked] of pairs) {
    expect(answers(recorded(known), known)).toBe(true)
    expect(answers(recorded(known), asked)).toBe(false)
  }
  const say = (rest: string): WireRequest =>
    ask({}, { messages: [{ role: 'user', content: `Is <REDACTED:jwt>+${rest} valid?` }] })
  const today = matching(recorded(say('0123456789ab')))
  expect(today.answering(readIncoming(say('ba9876543210')))).toEqual([])
})

test('an imported request without headers matches any headers, and nothing else', () => {
  const properties = (...names: string[]): JsonObject => ({
    tools: [{ input_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
  const tenant = (name: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-tenant': name } }],
  })
  const more = { ...properties('a', 'b'), system: 'Be kind.' }
  const marked = (body: JsonObject, ...others: WireRequest[]): Cassette =>
    recorded({ ...ask({}, body), imported }, ...others)
  const headers = {
    'anthropic-version': '2023-06-01',
    accept: 'audio/mpeg',
    'x-portkey-config': 'a',
  }
  expect(answers(marked(more), ask(headers, more))).toBe(true)
  expect(answers(marked(more), ask({}, more))).toBe(true)
  expect(answers(marked(tenant('acme')), ask(headers, tenant('acme')))).toBe(true)
  const changes: Array<[known: JsonObject, asked: JsonObject]> = [
    [more, { ...more, system: 'Be rude.' }],
    [more, { ...more, model: 'claude-2' }],
    [more, { ...more, temperature: 1 }],
    [more, { ...more, ...properties('b', 'a') }],
    [tenant('acme'), tenant('other-7f3e9b2c1')],
  ]
  for (const [known, asked] of changes)
    expect(answers(marked(known), ask(headers, asked)), JSON.stringify(asked)).toBe(false)
  // These name the model.
  expect(answers(marked({}), ask({ 'ai-language-model-id': 'one' }))).toBe(false)
  const url = 'https://other.example.com/v1/messages'
  expect(answers(marked({}), { ...ask(headers), url })).toBe(false)
  const mixed = marked({}, { ...beta('a'), body: ask({}, { system: 'Be kind.' }).body })
  expect(answers(mixed, ask({ 'anthropic-beta': 'b' }, { system: 'Be kind.' }))).toBe(false)
})

test('the mark stays when the file is written again, whatever else is in it', () => {
  const request: WireRequest = { ...ask({}), imported }
  const marked = recorded(request)
  expect(encodeCassette(marked, 'schema.json').stored).toMatchObject({
    version: '2.0',
    exchanges: [{ request: { imported } }],
  })
  const exchanges = [...marked.exchanges, ...recorded(ask({}, { temperature: 1 })).exchanges]
  const { stored } = encodeCassette({ ...marked, exchanges }, 'schema.json')
  expect(stored).toMatchObject({ exchanges: [{ request: { imported } }, {}] })
  expect(stored.exchanges[1]!.request).not.toHaveProperty('imported')
})

test('a socket whose handshake is marked goes on after one with headers', () => {
  const url = 'wss://api.openai.com/v1/realtime?model=gpt-realtime'
  const handshake: WireRequest = { method: 'GET', url, body: { kind: 'empty' } }
  const frame = (type: string): WireRequest => ({
    method: 'SEND',
    url,
    body: readText(JSON.stringify({ type })),
  })
  const first = readIncoming({ ...handshake, imported })
  const cassette: Cassette = {
    conversationId: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([
      { incoming: first, response: answer },
      {
        incoming: readIncoming({ ...frame('go'), imported }, { before: first }),
        response: answer,
      },
    ]),
  }
  const { stored } = encodeCassette(cassette, 'schema.json')
  const matcher = matching(decodeCassette(stored, () => Buffer.of()))
  const opened = readIncoming({ ...handshake, headers: { 'openai-beta': 'realtime=v1' } })
  expect(matcher.answering(opened)).toHaveLength(1)
  expect(matcher.answering(readIncoming(frame('go'), { before: opened }))).toHaveLength(1)
  expect(matcher.answering(readIncoming(frame('stop'), { before: opened }))).toEqual([])
  // Without the mark, it waits for a handshake without headers.
  for (const { request } of stored.exchanges) delete request!.imported
  const unmarked = matching(decodeCassette(stored, () => Buffer.of()))
  expect(unmarked.answering(opened)).toEqual([])
  expect(unmarked.answering(readIncoming(frame('go'), { before: opened }))).toEqual([])
})

test('a new recording takes the mark away, and brings the headers in', () => {
  const { recorded: known } = matching(recorded({ ...ask({}), imported }))
  const turn = { incoming: readIncoming(beta('a')), response: answer }
  const [exchange, ...others] = describeTurns(mergeTurns(known, [turn]))
  expect(others).toEqual([])
  expect(exchange!.wire!.request).toMatchObject({ headers: { 'anthropic-beta': 'a' } })
  expect(exchange!.wire!.request).not.toHaveProperty('imported')
})

test('a partial recording replaces the exchange whose known parts it has', () => {
  const url = 'https://unknown.invalid/v1/messages'
  const unknown: Imported = { from: 'har', unknown: ['host', 'headers'] }
  const other = ask({}, { system: 'Be kind.' })
  const { recorded: known } = matching(
    recorded({ ...other, url, imported: unknown }, { ...ask({}), url, imported: unknown }),
  )
  const turn = { incoming: readIncoming(beta('a')), response: answer }
  const merged = describeTurns(mergeTurns(known, [turn])).map(({ wire }) => wire!.request)
  expect(merged).toMatchObject([{ url }, { headers: { 'anthropic-beta': 'a' } }])
  expect(merged[1]).not.toHaveProperty('imported')
})
