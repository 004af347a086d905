import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { Matcher } from '../../src/engine/match.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readText } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { expectGolden } from '../golden.ts'
import type { Imported } from '../../src/wire/imported.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

const URL = 'https://api.openai.com/v1/chat/completions'

function ask(content: string, more: object = {}, url = URL): WireRequest {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content }], ...more }
  return { method: 'POST', url, body: readText(JSON.stringify(body)) }
}

const ANSWER: WireResponse = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: readBody(Buffer.from('{"choices":[{"message":{"content":"Here."}}]}')),
}

/** What was imported, as its file gives it back. */
function imported(request: WireRequest, mark: Omit<Imported, 'from'>): Cassette {
  const wire = { ...request, imported: { from: 'nock', ...mark } }
  const exchanges = describeTurns([{ incoming: readIncoming(wire), response: ANSWER }])
  const cassette = { conversationId: 'a > b', timestamp: '2026-01-01T00:00:00.000Z', exchanges }
  const text = printCassette(encodeCassette(cassette, 'schema.json').stored)
  const stored = parseCassette(text)
  expect(recognizeCassette(text)).toEqual(stored)
  return decodeCassette(stored, () => Buffer.of())
}

function answers(cassette: Cassette, wire: WireRequest): boolean {
  const matcher = new Matcher(cassette, { rare: () => rareCases })
  return matcher.next(readIncoming(wire), { repeats: 'strict', unordered: true }) !== undefined
}

test('an unknown host or method does not count, and all else does', () => {
  const cassette = imported(ask('Hi', {}, 'https://unknown.invalid/v1/chat/completions'), {
    unknown: ['host', 'method'],
  })
  expect(answers(cassette, ask('Hi'))).toBe(true)
  expect(answers(cassette, { ...ask('Hi'), method: 'PUT' })).toBe(true)
  expect(answers(cassette, ask('Hi', {}, 'http://localhost:8080/v1/chat/completions'))).toBe(true)
  expect(answers(cassette, ask('Hi', {}, 'https://api.openai.com/v1/completions'))).toBe(false)
  expect(answers(cassette, ask('Hi?'))).toBe(false)
})

test('what was redacted stands for any text, in bodies, hosts, paths and parameters', () => {
  const there = `https://bedrock-runtime.redacted.amazonaws.com/v1/%3CACCOUNT%3E/chat/completions?version=%3CV%3E1`
  const cassette = imported(
    ask('My key is <SECRET>, and <ACCOUNT> pays', { user: '<SECRET>' }, there),
    {
      redacted: ['<SECRET>', '<ACCOUNT>', '<V>'],
    },
  )
  const here = (content: string, more: object, region: string, path = 'acc-1'): WireRequest =>
    ask(
      content,
      more,
      `https://bedrock-runtime.${region}.amazonaws.com/v1/${path}/chat/completions?version=a1`,
    )
  const said = 'My key is k-1, and Acme pays'
  expect(answers(cassette, here(said, { user: 'u-1' }, 'eu-west-1'))).toBe(true)
  expect(answers(cassette, here(said, { user: '' }, 'us-east-1', 'x/y'))).toBe(true)
  expect(answers(cassette, here(said, { user: ['u-1'] }, 'eu-west-1'))).toBe(false)
  expect(answers(cassette, here(said, {}, 'eu-west-1'))).toBe(false)
  expect(answers(cassette, here('My keys are k-1, and Acme pays', { user: '' }, 'a'))).toBe(false)
  expect(answers(cassette, here(`${said} it`, { user: '' }, 'a'))).toBe(false)
  expect(answers(cassette, ask(said, { user: 'u-1' }))).toBe(false)
})

test('of a body that was parsed and written anew, the order of properties does not count', () => {
  const tools = (...names: string[]): object => ({
    tools: [{ parameters: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
  const cassette = imported(ask('Hi', tools('a', 'b')), { respelled: true })
  expect(answers(cassette, ask('Hi', tools('b', 'a')))).toBe(true)
  expect(answers(cassette, ask('Hi', tools('b', 'c')))).toBe(false)
})

test('an exchange with an unknown body answers nothing', async () => {
  const nothing: WireRequest = { method: 'POST', url: URL, body: { kind: 'empty' } }
  for (const method of ['POST', 'GET']) {
    const cassette = imported({ ...nothing, method }, { unknown: ['body'] })
    expect(answers(cassette, ask('Hi'))).toBe(false)
    expect(answers(cassette, { ...nothing, method })).toBe(false)
    const { text } = cassette.exchanges[0]!.prompt
    for (const fact of [`${method} api.openai.com/v1/chat/completions`, 'nock'])
      expect(text).toContain(fact)
    await expectGolden(text, `unknown-prompt-${method}`)
    expect(cassette.exchanges[0]!.response.text).toBe('Here.')
  }
})

const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('#'))

test('a redacted text stands for any, and changes nothing else', () => {
  fc.assert(
    fc.property(texts, texts, texts, texts, (before, after, secret, other) => {
      const cassette = imported(ask(`${before}###${after}`), { redacted: ['###'] })
      const isMeant = other.startsWith(before) && other.endsWith(after)
      const isLong = other.length >= before.length + after.length
      expect(answers(cassette, ask(`${before}${secret}${after}`))).toBe(true)
      expect(answers(cassette, ask(other))).toBe(isMeant && isLong)
    }),
    { numRuns: 100 },
  )
})
