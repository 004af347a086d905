import fc from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import type { Cassette, Exchange, WrittenExchange } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { FORMAT_VERSION, printCassette, type StoredExchange } from '../../src/cassette/format.ts'
import { cassetteSchema } from '../../src/cassette/format/schema.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { parseJson, type JsonObject } from '../../src/json/json-value.ts'
import { expectGolden, failureOf, failuresOf } from '../golden.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'

const HASH = `sha256-${'0'.repeat(64)}`

const noFile = (): Buffer => expect.unreachable()

function fileOf(...exchanges: object[]): string {
  const version = exchanges.some((one) => 'request' in one) ? FORMAT_VERSION : '1.0'
  const head = { $schema: 's', version, conversation_id: 'c' }
  return printCassette({
    ...head,
    exchanges: exchanges as StoredExchange[],
    timestamp: '2026-01-01T00:00:00Z',
  })
}

function throughFile(cassette: Cassette): Cassette {
  return decodeCassette(parseCassette(printCassette(encodeCassette(cassette, 's').stored)), noFile)
}

test('as little as a person can write is a cassette, and is written again as it was', () => {
  const texts = [
    fileOf({ prompt: { text: 'Hello?' }, response: { text: 'Hi.' } }),
    fileOf(
      { prompt: { text: 'a' }, response: { tool_calls: [{ tool_name: 'now', parameters: {} }] } },
      { prompt: { text: 'b' }, response: { error: 'Too fast.', status: 429 } },
      { id: 'farewell', prompt: { text: 'c', hash: HASH }, response: { text: '' } },
      { prompt: { text: 'd', metadata: { model: 'gpt-5' } }, response: { text: 'Yes.' } },
    ),
  ]
  for (const text of texts) {
    const cassette = decodeCassette(parseCassette(text), noFile)
    expect(printCassette(encodeCassette(cassette, 's').stored)).toBe(text)
  }
})

const words = { prompt: { text: 'a' }, response: { text: 'b' } }
const [recorded] = encodeCassette(exampleCassette({ a: 1 }), 's').stored.exchanges

const broken: Array<[place: string, named: string, exchange: object]> = [
  ['/exchanges/0/response', 'missing', { prompt: { text: 'a' } }],
  ['/exchanges/0/response', 'tool_calls', { ...words, response: {} }],
  ['/exchanges/0/prompt/text', 'missing', { ...words, prompt: {} }],
  ['/exchanges/0/prompt/text', 'string', { ...words, prompt: { text: 7 } }],
  ['/exchanges/0/prompt/text', 'array', { ...words, prompt: { text: { $: 'a' } } }],
  ['/exchanges/0/prompt/text/1', 'string', { ...words, prompt: { text: ['a', 7] } }],
  ['/exchanges/0', "'answer'", { ...words, answer: 'b' }],
  ['/exchanges/0/prompt/hash', 'expected', { ...words, prompt: { text: 'a', hash: 7 } }],
  [
    '/exchanges/0/response/tool_calls/0/tool_name',
    'missing',
    { ...words, response: { tool_calls: [{ parameters: {} }] } },
  ],
  ['/exchanges/0/response/status', '400', { ...words, response: { error: 'x', status: 200 } }],
  ['/exchanges/0/id', 'expected', { ...recorded!, id: 'a b' }],
  ['/exchanges/0/request/method', 'missing', { ...recorded!, request: { url: 'https://a.b' } }],
  ['/exchanges/0/request/url', 'missing', { ...recorded!, request: { method: 'POST' } }],
  ['/exchanges/0/response', "'sent'", { ...words, response: recorded!.response }],
  ['/exchanges/0/response', 'missing', { ...recorded!, response: undefined }],
  ['/exchanges/0', "'answer'", { ...recorded!, answer: 'b' }],
]

test.for(broken)('an exchange that is broken at %s names %s', ([place, named, exchange]) => {
  expect(() => parseCassette(fileOf(exchange))).toThrow(`at ${place}: `)
  expect(() => parseCassette(fileOf(exchange))).toThrow(named)
})

test('each broken exchange is refused with its place and what is wrong there', async () => {
  const rows = broken.map(
    ([place, , exchange]) => [place, () => parseCassette(fileOf(exchange))] as const,
  )
  await expectGolden(await failuresOf(rows), 'broken-exchanges')
})

test.each(['2026-01-01T00:00:00', '2026-01-01T00:00:00+02:00', 'yesterday'])(
  'the time %s of a recording is refused with an example',
  async (timestamp) => {
    const text = fileOf(words).replace(/(?<="timestamp": )"[^"]+"/, JSON.stringify(timestamp))
    const problem = await failureOf(() => parseCassette(text))
    expect(problem).toMatch(/at \/timestamp: .*2026-01-31T12:00:00.000Z/)
    await expectGolden(problem, 'no-time-in-utc')
  },
)

test('a recorded request may stand without its answer', () => {
  const { sent: _, ...said } = recorded!.response
  const text = fileOf({ ...recorded!, response: said })
  const cassette = decodeCassette(parseCassette(text), noFile)
  expect(cassette.exchanges[0]!.wire).not.toHaveProperty('response')
  const { rules: __, hashes, ...stored } = encodeCassette(cassette, 's').stored
  expect(printCassette(stored)).toBe(text)
  expect(hashes).toEqual([expect.stringMatching(/^\.[\w-]{22}\.$/)])
})

test('a call that a person wrote without parameters has none', () => {
  const response = { tool_calls: [{ tool_name: 'now' }] }
  const cassette = decodeCassette(parseCassette(fileOf({ ...words, response })), noFile)
  expect(cassette.exchanges[0]!.response.tool_calls).toEqual([{ tool_name: 'now', parameters: {} }])
})

test('a recorded exchange without an id has that of its place', () => {
  const exchanges = [recorded!, recorded!].map((one) => ({ ...one, id: undefined }))
  const cassette = decodeCassette(parseCassette(fileOf(...exchanges)), noFile)
  expect(cassette.exchanges.map(({ id }) => id)).toEqual(['exchange-1', 'exchange-2'])
})

test('the schema for editors has room for what is recorded and what is written', () => {
  const schema = z.toJSONSchema(cassetteSchema, { target: 'draft-7', io: 'input' }) as unknown as {
    properties: { exchanges: { items: { anyOf: Array<{ required: string[] }> } } }
  }
  const kinds = schema.properties.exchanges.items.anyOf.map(({ required }) => required)
  expect(kinds).toEqual([
    ['prompt', 'request', 'response'],
    ['prompt', 'response'],
  ])
})

const text = fc.oneof(fc.string(), fc.constant('long '.repeat(100)))
const json = fc.jsonValue().map((value) => parseJson(JSON.stringify(value)))
const metadata = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>

const writtenExchange: fc.Arbitrary<WrittenExchange> = fc.record({
  id: fc.oneof(
    fc.constantFrom('exchange-1', 'exchange-2', 'farewell'),
    fc.stringMatching(/^[\w-]{1,9}$/),
  ),
  prompt: fc.record(
    { text, metadata, hash: fc.constant(HASH) },
    { requiredKeys: ['text', 'metadata'] },
  ),
  response: fc.record(
    {
      text,
      reasoning: text,
      tool_calls: fc.array(
        fc.record(
          { tool_name: fc.string(), parameters: json, result: json },
          { requiredKeys: ['tool_name', 'parameters'] },
        ),
      ),
      finish_reasons: fc.array(fc.string()),
      usage: fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat() }, { requiredKeys: [] }),
      error: text,
      status: fc.integer({ min: 400, max: 599 }),
      incomplete: fc.boolean(),
    },
    { requiredKeys: ['text'] },
  ),
})

const anyExchange: fc.Arbitrary<(place: number) => Exchange> = fc.oneof(
  writtenExchange.map((exchange) => () => exchange),
  json.map((body) => (place: number) => exampleExchange(place, { body })),
  json.map((body) => (place: number) => {
    const { wire, ...readable } = exampleExchange(place, { body })
    return { ...readable, wire: { request: wire.request } }
  }),
)

test('any cassette comes back from its file, whoever wrote its exchanges', () => {
  fc.assert(
    fc.property(fc.array(anyExchange, { maxLength: 5 }), (makers) => {
      const exchanges = makers.map((make, index) => make(index + 1))
      fc.pre(new Set(exchanges.map(({ id }) => id)).size === exchanges.length)
      const cassette = { ...exampleCassette(), exchanges }
      // Through JSON, as what a file holds: objects then have ordinary prototypes.
      expect(throughFile(cassette)).toEqual(cassette)
    }),
    { numRuns: 300 },
  )
})
