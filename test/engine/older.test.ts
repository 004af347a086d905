import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { mergeTurns } from '../../src/recording/assemble.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import type { WireRequest } from '../../src/wire/message.ts'

import { answer, answers, ask, beta, matching, recorded, reread, RULES } from './older-cassettes.ts'

test('a recording that knows the headers answers the same headers alone', () => {
  const cassette = recorded('1.1', beta('b, a'))
  expect(answers(cassette, beta('a,b'))).toBe(true)
  expect(answers(cassette, beta('b,a,,b'))).toBe(true)
  expect(answers(cassette, beta('a'))).toBe(false)
  expect(answers(cassette, beta('a,b,c'))).toBe(false)
  expect(answers(cassette, ask({}))).toBe(false)
  expect(answers(recorded('1.1', ask({})), beta('a'))).toBe(false)
})

test('a recording of an older release answers whatever the headers are that it did not keep', () => {
  const cassette = recorded('1.0', ask({}))
  expect(answers(cassette, ask({}))).toBe(true)
  expect(answers(cassette, beta('a'))).toBe(true)
  expect(answers(cassette, ask({}, { temperature: 1 }))).toBe(false)
  const model = (id: string): WireRequest => ask({ 'ai-language-model-id': id })
  expect(answers(recorded('1.0', model('one')), model('one'))).toBe(true)
  expect(answers(recorded('1.0', model('one')), model('two'))).toBe(false)
})

test('what an older release recorded stays such when the file is written again', () => {
  const old = recorded('1.0', ask({}))
  const again = encodeCassette(old, 'schema.json').stored
  expect(again).toMatchObject({ version: '1.0' })
  expect(again).not.toHaveProperty('file_hash')
  const exchanges = [...old.exchanges, ...recorded('1.1', ask({}, { temperature: 1 })).exchanges]
  const { stored } = encodeCassette({ ...old, exchanges }, 'schema.json')
  expect(stored).toMatchObject({
    version: '1.2',
    exchanges: [{ wire: { request: { older: true } } }, {}],
  })
  expect(answers(reread(printCassette(stored)), beta('a'))).toBe(true)
})

test('recording again brings the headers in', () => {
  const { recorded: known } = matching(recorded('1.0', ask({})))
  const turn = { incoming: readIncoming(beta('a')), response: answer }
  const [exchange, ...others] = describeTurns(mergeTurns(known, [turn]))
  expect(others).toEqual([])
  expect(exchange!.wire!.request).toMatchObject({ headers: { 'anthropic-beta': 'a' } })
  expect(exchange!.wire!.request).not.toHaveProperty('older')
})

test('headers of the tools of other servers count since they are kept', () => {
  const tool = (value: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-readonly': value, 'x-key': value } }],
  })
  const cassette = recorded('1.1', ask({}, tool('true')))
  expect(answers(cassette, ask({}, tool('true')))).toBe(true)
  expect(answers(cassette, ask({}, tool('false')))).toBe(false)

  const blank = { 'x-readonly': '<REDACTED:x-readonly>', 'x-key': '<REDACTED:x-key>' }
  const old = recorded('1.0', ask({}, { tools: [{ type: 'mcp', headers: blank }] }))
  const asked = readIncoming(ask({}, tool('false')))
  expect(matching(old).next(asked, RULES)).toBeDefined()
})

test('a recording of format 1.2 answers whatever it did not keep, and nothing else', () => {
  const properties = (...names: string[]): JsonObject => ({
    tools: [{ input_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
  const tenant = (name: string): JsonObject => ({
    tools: [{ type: 'mcp', headers: { 'x-tenant': name } }],
  })
  const placeholder = { tools: [{ type: 'mcp', headers: { 'x-tenant': '<REDACTED:x-tenant>' } }] }
  const pairs: Array<[known: WireRequest, asked: WireRequest]> = [
    [ask({}), ask({ accept: 'audio/mpeg' })],
    [ask({}, properties('a', 'b')), ask({}, properties('b', 'a'))],
    [ask({}, placeholder), ask({}, tenant('acme-7f3e9b2c1'))],
  ]
  for (const [known, asked] of pairs) {
    expect(matching(recorded('1.2', known)).next(readIncoming(asked), RULES)).toBeDefined()
    expect(matching(recorded('1.3', known)).next(readIncoming(asked), RULES)).toBeUndefined()
  }
  expect(answers(recorded('1.2', beta('a')), beta('b'))).toBe(false)
  expect(answers(recorded('1.2', ask({})), ask({}, { temperature: 1 }))).toBe(false)
  const url = (name: string): WireRequest => ({
    ...ask({}),
    url: `https://${name}.us-east-1.aws.endpoints.huggingface.cloud/v1/messages`,
  })
  // It kept the whole address.
  expect(answers(recorded('1.2', url('a')), url('a'))).toBe(true)
  expect(answers(recorded('1.2', url('a')), url('b'))).toBe(false)
})

test('what format 1.2 recorded stays such when the file is written again', () => {
  const old = recorded('1.2', ask({}))
  expect(encodeCassette(old, 'schema.json').stored).toMatchObject({ version: '1.2' })
  const exchanges = [...old.exchanges, ...recorded('1.3', ask({}, { temperature: 1 })).exchanges]
  const { stored } = encodeCassette({ ...old, exchanges }, 'schema.json')
  expect(stored).toMatchObject({
    version: '1.3',
    exchanges: [{ wire: { request: { older: '1.2' } } }, {}],
  })
  expect(answers(reread(printCassette(stored)), ask({ accept: 'audio/mpeg' }))).toBe(true)
  const both = { ...old, exchanges: [...recorded('1.0', ask({})).exchanges, ...old.exchanges] }
  expect(encodeCassette(both, 'schema.json').stored).toMatchObject({
    version: '1.2',
    exchanges: [{ wire: { request: { older: true } } }, {}],
  })
})

test('a socket that an older release recorded goes on after a handshake with headers', () => {
  const url = 'wss://api.openai.com/v1/realtime?model=gpt-realtime'
  const handshake: WireRequest = { method: 'GET', url, body: { kind: 'empty' } }
  const frame: WireRequest = { method: 'SEND', url, body: readText('{"type":"session.update"}') }
  const first = readIncoming(handshake)
  const exchanges = describeTurns([
    { incoming: first, response: answer },
    { incoming: readIncoming(frame, { before: first }), response: answer },
  ])
  const timestamp = '2026-01-01T00:00:00.000Z'
  const { stored } = encodeCassette({ conversationId: 'a', timestamp, exchanges }, 'schema.json')
  const opened: Incoming = readIncoming({ ...handshake, headers: { 'openai-beta': 'realtime=v1' } })
  const sent = readIncoming(frame, { before: opened })

  for (const [version, known] of [
    ['1.0', true],
    ['1.1', false],
  ] as const) {
    const cassette = decodeCassette({ ...stored, version }, () => Buffer.of())
    const matcher = matching(cassette)
    expect(matcher.answering(opened).length > 0).toBe(known)
    expect(matcher.answering(sent).length > 0).toBe(known)
  }
})

test('of a secret that an older release replaced, nothing counts beside it', () => {
  const say = (content: string): WireRequest => ask({}, { messages: [{ role: 'user', content }] })
  // What is redacted is never found word for word.
  const answers = (cassette: Cassette, wire: WireRequest): boolean =>
    matching(cassette).answering(readIncoming(wire)).length > 0
  const cassette = recorded('1.2', say('Is <REDACTED:jwt> valid?'))
  expect(answers(cassette, say('Is <REDACTED:jwt>+0123456789ab valid?'))).toBe(true)
  expect(answers(cassette, say('Is <REDACTED:jwt>+0123456789ab old?'))).toBe(false)
  const today = recorded('1.3', say('Is <REDACTED:jwt>+0123456789ab valid?'))
  expect(answers(today, say('Is <REDACTED:jwt>+ba9876543210 valid?'))).toBe(false)
})
