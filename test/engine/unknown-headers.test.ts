import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { mergeTurns } from '../../src/recording/assemble.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import type { WireRequest } from '../../src/wire/message.ts'

import { answer, answers, ask, beta, matching, recorded } from './older-cassettes.ts'

test('a recording marked as without headers answers whatever they are, and nothing else', () => {
  const properties = (...names: string[]): JsonObject => ({
    tools: [{ input_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
  const tenant = (name: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-tenant': name } }],
  })
  const more = { ...properties('a', 'b'), system: 'Be kind.' }
  const marked = (body: JsonObject, ...others: WireRequest[]): Cassette =>
    recorded('1.3', { ...ask({}, body), older: 'headers' }, ...others)
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
  const request: WireRequest = { ...ask({}), older: 'headers' }
  const marked = recorded('1.3', request)
  expect(encodeCassette(marked, 'schema.json').stored).toMatchObject({
    version: '1.3',
    exchanges: [{ wire: { request: { older: 'headers' } } }],
  })
  const exchanges = [...marked.exchanges, ...recorded('1.2', ask({}, { temperature: 1 })).exchanges]
  const { stored } = encodeCassette({ ...marked, exchanges }, 'schema.json')
  expect(stored).toMatchObject({
    version: '1.3',
    exchanges: [
      { wire: { request: { older: 'headers' } } },
      { wire: { request: { older: '1.2' } } },
    ],
  })
})

test('a socket whose handshake is marked goes on after one with headers', () => {
  const url = 'wss://api.openai.com/v1/realtime?model=gpt-realtime'
  const handshake: WireRequest = { method: 'GET', url, body: { kind: 'empty' } }
  const frame = (type: string): WireRequest => ({
    method: 'SEND',
    url,
    body: readText(JSON.stringify({ type })),
  })
  const first = readIncoming({ ...handshake, older: 'headers' })
  const cassette: Cassette = {
    conversationId: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([
      { incoming: first, response: answer },
      {
        incoming: readIncoming({ ...frame('go'), older: 'headers' }, { before: first }),
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
})

test('a new recording takes the mark away, and brings the headers in', () => {
  const { recorded: known } = matching(recorded('1.3', { ...ask({}), older: 'headers' }))
  const turn = { incoming: readIncoming(beta('a')), response: answer }
  const [exchange, ...others] = describeTurns(mergeTurns(known, [turn]))
  expect(others).toEqual([])
  expect(exchange!.wire!.request).toMatchObject({ headers: { 'anthropic-beta': 'a' } })
  expect(exchange!.wire!.request).not.toHaveProperty('older')
})
