import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Attempt } from '../../../src/attempt/attempt.ts'
import { countAttempt } from '../../../src/attempt/count-requests.ts'
import { printSealed } from '../../../src/cassette/format.ts'
import { parseStored } from '../../../src/cassette/reader.ts'
import { CassetteStore } from '../../../src/cassette/store.ts'
import type { CassetteOptions } from '../../../src/config/options.ts'
import type { Incoming } from '../../../src/engine/incoming.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { textOf } from '../../../src/wire/body.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { openIn } from '../example-attempt.ts'
import { fetchIn } from '../../replay/sealed-call.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'why-slow-'))
  path = join(folder, 'a.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

function open(options: CassetteOptions = {}): Attempt {
  return openIn(folder, options).attempt
}

/** A request as it is sent. */
interface Sent {
  url: string
  headers: Record<string, string>
  body: string
}

async function ask(attempt: Attempt, asked: Incoming, change: Partial<Sent> = {}): Promise<void> {
  const { method, url, headers = {}, body } = asked.wire
  const { url: at, ...sent } = { url, headers, body: textOf(body), ...change }
  const response = await fetchIn(attempt, at, { method, ...sent })
  expect(await response.text()).toContain('said')
}

/** What is counted of a test that asks two questions, the first of them in another way. */
async function countOf(
  change: Partial<Sent>,
  options: CassetteOptions = {},
  more: JsonObject = {},
): Promise<object> {
  const [a, b] = [question('a', more), question('b')]
  await new CassetteStore(folder, '.', 1e9).save('a.json', recorded([a, 'said a'], [b, 'said b']))
  return countIn(open(options), [a, change], [b])
}

async function countIn(
  attempt: Attempt,
  ...asked: Array<[asked: Incoming, change?: Partial<Sent>]>
): Promise<object> {
  for (const [one, change] of asked) await ask(attempt, one, change)
  expect(await attempt.close({ passed: true, now: new Date(), color: false })).toEqual({})
  const { byHash, slow } = countAttempt(attempt, true)
  return { byHash, ...slow }
}

const A = textOf(question('a').wire.body)
const RESPELLED = '{"messages":[{"role":"user","content":"a"}],"model":"gpt-5"}'

test('calls that are spelled as they were recorded are counted, and nothing is said of them', async () => {
  expect(await countOf({})).toEqual({ byHash: 2 })
  expect(await countOf({ headers: { 'user-agent': 'sdk/2' } })).toEqual({ byHash: 2 })
})

test.each([
  ['another order of keys', 'key-order', RESPELLED],
  ['white space', 'spelling', JSON.stringify(JSON.parse(A), null, 2)],
  ['an escape', 'spelling', A.replace('"a"', String.raw`"\u0061"`)],
])('%s is said, and that later calls only follow', async (_, reason, body) => {
  expect(await countOf({ body })).toEqual({ byHash: 0, [reason]: 1, after: 1 })
})

test('a number that is spelled otherwise is said', async () => {
  const body = A.replace(/\}$/, ',"temperature":1.0}')
  expect(await countOf({ body }, {}, { temperature: 1 })).toMatchObject({ spelling: 1 })
})

test.each([
  ['host', '', 'https://eu.api.openai.com/v1/chat/completions'],
  ['address', '?a=1&b=2', 'https://api.openai.com/v1/chat/completions?b=2&a=1'],
])('an address that is spelled otherwise is said: %s', async (reason, query, url) => {
  const { wire } = question('a')
  const stored = question('a').inForm({ ...wire, url: wire.url + query })
  await new CassetteStore(folder, '.', 1e9).save('a.json', recorded([stored, 'said a']))
  expect(await countIn(open(), [question('a'), { url }])).toEqual({ byHash: 0, [reason]: 1 })
})

test('ids of calls that are new each time are said', async () => {
  const messages = (id: string): JsonObject => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: 'x' },
    ],
  })
  const body = textOf(question('a', messages('call_2')).wire.body)
  expect(await countOf({ body }, {}, messages('call_1'))).toEqual({
    byHash: 0,
    'call-id': 1,
    after: 1,
  })
})

test('a volatile value is said, where it is asked out of order', async () => {
  const [known, now] = [
    '0b1de0f2-9a5b-4f0e-8a0c-5d1f3a6b7c8d',
    'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
  ]
  const [a, b] = [question('a'), question('b', { user: known })]
  await new CassetteStore(folder, '.', 1e9).save('a.json', recorded([a, 'said a'], [b, 'said b']))
  const body = textOf(question('b', { user: now }).wire.body)
  expect(await countIn(open({ volatile: ['uuid'] }), [b, { body }], [a])).toEqual({
    byHash: 0,
    volatile: 1,
    after: 1,
  })
})

test('a volatile value is none, where it is asked in its turn', async () => {
  const [known, now] = [
    '0b1de0f2-9a5b-4f0e-8a0c-5d1f3a6b7c8d',
    'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
  ]
  const body = textOf(question('a', { user: now }).wire.body)
  expect(await countOf({ body }, { volatile: ['uuid'] }, { user: known })).toEqual({ byHash: 2 })
})

test('a credential in a prompt is said', async () => {
  process.env.OPENAI_API_KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'
  try {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'
    const stored = question('a', { user: '<REDACTED:OPENAI_API_KEY>' })
    const store = new CassetteStore(folder, '.', 1e9)
    await store.save('a.json', recorded([stored, 'said a']))
    const asked = question('a', { user: key })
    expect(await countIn(open(), [asked])).toEqual({ byHash: 0, redacted: 1 })
  } finally {
    delete process.env.OPENAI_API_KEY
  }
})

test('options that decide about more than the prompt are named, together', async () => {
  expect(await countOf({}, { pace: 'recorded' })).toEqual({ byHash: 0, 'option:pace': 2 })
  expect(await countOf({}, { pace: 5, retiredModels: ['gpt-3'] })).toEqual({
    byHash: 0,
    'option:pace+retiredModels': 2,
  })
})

test('the order of requests is said where it decides, and an exchange that answers again', async () => {
  const [a, b] = [question('a'), question('b')]
  await new CassetteStore(folder, '.', 1e9).save('a.json', recorded([a, 'said a'], [b, 'said b']))
  expect(await countIn(open({ repeats: 'last' }), [a], [b], [a])).toEqual({
    byHash: 2,
    repeated: 1,
  })
  // Volatile values could be those of another exchange.
  expect(await countIn(open({ volatile: ['uuid'] }), [b], [a])).toEqual({
    byHash: 0,
    order: 1,
    after: 1,
  })
})

test.each([
  ['formatted', (text: string) => JSON.stringify(JSON.parse(text), null, 4)],
  ['edited', (text: string) => text.replace('"said a"', '"said aa"')],
  ['unsealed', (text: string) => text.replace(/, "seal": "[^"]*"/, '')],
  ['rules', sealed({ rules: [2] })],
  ['parameter', (text: string) => text],
  ['mark', sealed({ invalid: { reason: 'old', since: '2026-01-01T00:00:00.000Z' } })],
] as const)('a file is said to be the reason: %s', async (reason, change) => {
  const [a, b] = [question('a'), question('b')]
  await new CassetteStore(folder, '.', 1e9).save('a.json', recorded([a, 'said a'], [b, 'said b']))
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  const attempt = open()
  if (reason === 'parameter') attempt.session.declare({ city: 'Rome' })
  for (const one of [a, b]) await ask(attempt, one)
  const { byHash, slow } = countAttempt(attempt, true)
  expect({ byHash, slow }).toEqual({ byHash: 0, slow: { [reason]: 2 } })
})

/** Seals a changed file as this release does. */
function sealed(change: object): (text: string) => string {
  return (text) => {
    const { exchanges, ...stored } = parseStored(text)
    return printSealed({ ...stored, ...change, exchanges } as ReturnType<typeof parseStored>)
  }
}

test('a response that a person wrote is said, also where the file needs no seal', async () => {
  const exchange = { prompt: { text: 'a' }, response: { text: 'said a' } }
  const written = { version: '1.0', conversation_id: 'a', exchanges: [exchange] }
  writeFileSync(path, JSON.stringify({ ...written, timestamp: '2026-01-01T00:00:00.000Z' }))
  expect(await countIn(open(), [question('a')])).toEqual({ byHash: 0, written: 1 })
})

test('a response with another status than success, and one that leads on, are said', async () => {
  const turns = recorded([question('a'), 'said a'], [question('b'), 'said b'])
  const [first] = turns.exchanges
  first!.wire!.response!.status = 429
  await new CassetteStore(folder, '.', 1e9).save('a.json', turns)
  expect(await countIn(open(), [question('a')], [question('b')])).toEqual({
    byHash: 0,
    response: 1,
    after: 1,
  })
})
