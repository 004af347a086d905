import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedExchange } from '../../../src/cassette/cassette.ts'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import {
  countFacts,
  makeCassette,
  type MadeCassette,
} from '../../../src/tools/import/make-cassette.ts'
import { writeBody } from '../../../src/wire/body.ts'
import { expectGolden } from '../../golden.ts'
import { readOne } from './foreign-folder.ts'
import { replayed } from './replayed.ts'
import { SAMPLES } from './samples.ts'

const NOW = new Date('2026-11-01T00:00:00.000Z')
const CHAT = 'https://api.openai.com/v1/chat/completions'
const KEY = ['sk', 'proj', 'aB3dE6gH9'.repeat(5)].join('-')

interface Given {
  request?: Partial<ForeignExchange['request']>
  response?: Partial<ForeignExchange['response']>
  time?: string
}

function recordingOf(...all: Given[]): ForeignRecording {
  const exchanges = all.map(({ request, response, ...rest }): ForeignExchange => ({
    request: {
      method: 'POST',
      url: CHAT,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from(
        JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
      ),
      ...request,
    },
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from('{"choices":[{"message":{"content":"Hello."}}]}'),
      ...response,
    },
    ...rest,
  }))
  return { file: 'a.json', format: 'nock', exchanges, leftOut: new Map() }
}

function make(...all: Given[]): MadeCassette {
  return makeCassette([recordingOf(...all)], 'a.test.ts > asks', { env: {}, now: NOW })
}

function wireOf({ cassette }: MadeCassette): RecordedExchange['wire'] {
  return (cassette.exchanges[0] as RecordedExchange).wire
}

test('what a file tells whole has no mark, and is what a recording would write', () => {
  const made = make({ time: '2025-03-01T10:00:00.000Z' }, { time: '2025-03-02T10:00:00.000Z' })
  const { cassette, credentials, secret } = made
  expect(wireOf(made).request).toEqual({
    method: 'POST',
    url: CHAT,
    body: expect.objectContaining({ kind: 'json' }),
  })
  expect(cassette.exchanges[0]!.prompt.text).toBe('Hi')
  expect(cassette.exchanges[0]!.response.text).toBe('Hello.')
  expect(cassette.timestamp).toBe('2025-03-02T10:00:00.000Z')
  expect(cassette.oldestAnswer).toBe('2025-03-01T10:00:00.000Z')
  expect([credentials, secret]).toEqual([0, undefined])
})

test('the date of an answer is that of its header, where the file has no other', () => {
  const { cassette } = make({ response: { headers: [['Date', 'Sat, 01 Mar 2025 10:00:00 GMT']] } })
  expect(cassette.timestamp).toBe('2025-03-01T10:00:00.000Z')
  expect(make({}).cassette.timestamp).toBe(NOW.toISOString())
})

test.for<[what: string, request: Given['request'], mark: object]>([
  [
    'no headers',
    { headers: undefined as never },
    { imported: { from: 'nock', unknown: ['headers'] } },
  ],
  [
    'headers without that of its body',
    { headers: [['Accept', '*/*']] },
    { imported: { from: 'nock', unknown: ['headers'] } },
  ],
  [
    'no body',
    { body: undefined as never },
    { imported: { from: 'nock', unknown: ['body'], kind: 'json' } },
  ],
  [
    'no host',
    { url: '/v1/chat/completions' },
    {
      url: 'https://unknown.invalid/v1/chat/completions',
      imported: { from: 'nock', unknown: ['host'] },
    },
  ],
  [
    'answers alone',
    {
      method: undefined as never,
      url: undefined as never,
      headers: undefined as never,
      body: undefined as never,
    },
    {
      url: 'https://unknown.invalid/',
      imported: { from: 'nock', unknown: ['method', 'host', 'path', 'headers', 'body'] },
    },
  ],
  [
    'a redacted host',
    {
      url: 'https://bedrock-runtime.<REGION>.amazonaws.com/model/m/converse',
      redacted: ['<REGION>'],
    },
    {
      url: 'https://bedrock-runtime.redacted.amazonaws.com/model/m/converse',
      imported: { from: 'nock', redacted: ['<REGION>'] },
    },
  ],
  [
    'properties that were written anew',
    {
      isRespelled: true,
      body: Buffer.from('{"tools":[{"parameters":{"properties":{"a":{},"b":{}}}}]}'),
    },
    { imported: { from: 'nock', respelled: true } },
  ],
  ['no properties, written anew', { isRespelled: true }, {}],
])('%s: the mark says so', ([, request, mark]) => {
  const { body: _, ...wire } = wireOf(make({ request: request! })).request
  expect(wire).toEqual({ method: 'POST', url: CHAT, ...mark })
})

test('credentials are replaced, and a redacted request matches whatever stands there', () => {
  const said = `My key is ${KEY}.`
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: said }] }))
  const made = make({
    request: {
      body,
      headers: [
        ['content-type', 'application/json'],
        ['authorization', `Bearer ${KEY}x`],
      ],
    },
    response: { body: Buffer.from(JSON.stringify({ choices: [{ message: { content: said } }] })) },
  })
  expect(JSON.stringify(made.cassette)).not.toContain(KEY)
  expect(made.credentials).toBe(2)
  expect(made.secret).toBe(undefined)
  expect(wireOf(made).request.imported).toEqual({
    from: 'nock',
    redacted: ['<REDACTED:CREDENTIAL>'],
  })
})

test('a stream without a content type is cut at its events, and its bytes stay', () => {
  const events = ['data: {"a":1}\n\n', 'data: [DONE]\n\n']
  const made = make({ response: { headers: [], body: events.map((one) => Buffer.from(one)) } })
  const pieces = writeBody(wireOf(made).response.body).map((one) => Buffer.from(one).toString())
  expect(pieces).toEqual(events)
})

test('an answer in the words of another tool is one that a person wrote, without a prompt', async () => {
  const made = make({
    request: {
      method: undefined as never,
      url: undefined as never,
      body: undefined as never,
      rules: 'the user says "Hi"',
    },
    response: { body: new Uint8Array(), written: { text: 'Hello.' } },
  })
  const [exchange] = made.cassette.exchanges
  expect(exchange!.response.text).toBe('Hello.')
  const { text } = exchange!.prompt
  for (const fact of ['nock', 'the user says "Hi"']) expect(text).toContain(fact)
  await expectGolden(text, 'unknown-prompt')
  expect(exchange!.wire!.response).toBe(undefined)
  expect(countFacts(made).unasked).toBe(1)
})

test.for(SAMPLES)('a sample of $format replays its bytes to its requests', ({ name, content }) => {
  const recording = readOne(content, name)
  const outcomes = replayed(recording).map(({ outcome }) => outcome)
  expect(outcomes.length).toBe(recording.exchanges.length)
  for (const outcome of outcomes) expect(['replayed', 'unasked']).toContain(outcome)
})

const header = fc.tuple(
  fc.stringMatching(/^[a-z][a-z-]{0,12}$/),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all))
const exchanges = fc.record(
  {
    request: fc.record(
      {
        method: fc.constantFrom('POST', 'GET', 'X-Y', ''),
        url: fc.oneof(fc.webUrl(), fc.string(), fc.constant('/v1/chat/completions')),
        headers: fc.array(header, { maxLength: 4 }),
        body: fc.oneof(
          bytes,
          fc.json().map((text) => Buffer.from(text)),
        ),
        isRespelled: fc.boolean(),
        redacted: fc.array(fc.string(), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    response: fc.record({
      status: fc.constantFrom(200, 204, 400, 503),
      headers: fc.array(header, { maxLength: 4 }),
      body: fc.oneof(
        bytes,
        fc.json().map((text) => Buffer.from(text)),
      ),
    }),
    time: fc.string(),
    durationMs: fc.double(),
  },
  { requiredKeys: ['request', 'response'] },
)

test('whatever stands in a file, its cassette can be read, and asks for the same bytes', () => {
  fc.assert(
    fc.property(fc.array(exchanges, { minLength: 1, maxLength: 3 }), (all) => {
      const recording = { ...recordingOf(), exchanges: all as ForeignExchange[] }
      const outcomes = replayed(recording).map(({ outcome }) => outcome)
      expect(outcomes).not.toContain('missed')
    }),
    { numRuns: 200 },
  )
})
