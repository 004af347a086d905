import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { restoreRuns } from '../../../src/cassette/format/event-runs.ts'
import { storeRuns } from '../../../src/cassette/format/store-runs.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { recognizeCassette } from '../../../src/cassette/reader.ts'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'
import { exampleCassette } from '../example-cassette.ts'

function throughFile(cassette: Cassette): { text: string; loaded: Cassette } {
  const text = printCassette(encodeCassette(cassette, 's').stored)
  expect(recognizeCassette(text)).toEqual(parseCassette(text))
  const loaded = decodeCassette(parseCassette(text), () => Buffer.alloc(0))
  return { text, loaded }
}

/** A cassette that asks with these instructions, and shows them to people. */
function asking(system: string, answer = 'Hi'): Cassette & { exchanges: RecordedExchange[] } {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: 'Hello' },
  ]
  const cassette = exampleCassette({ messages }, { messages: [...messages, { answer }] })
  const [first] = cassette.exchanges
  first!.prompt.text = `system: ${system}\nuser: Hello`
  first!.response.text = answer
  first!.response.tool_calls = [
    { tool_name: 'write', parameters: { file: system }, result: answer },
  ]
  return cassette
}

const line = fc.oneof(
  fc.constantFrom(
    'a line of a prompt that goes on and on',
    '',
    '\r',
    '\ud800',
    '\u2028',
    '{"$text":1}',
  ),
  fc.string({ unit: 'binary' }),
)
const prose = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))

test('any text comes back from its lines, in both halves', () => {
  fc.assert(
    fc.property(prose, prose, (system, answer) => {
      const cassette = asking(system, answer)
      expect(throughFile(cassette).loaded).toEqual(cassette)
    }),
  )
})

test('a text of several lines is stored line by line, once, and one line changes with a word', () => {
  const lines = Array.from({ length: 150 }, (_, at) => `Rule ${at} of the house is kept.`)
  const before = throughFile(asking(lines.join('\n'))).text
  expect(before.match(/Rule 7 of/g)).toHaveLength(2)
  const after = throughFile(asking(lines.with(7, 'Rule 7 of the hut is kept.').join('\n'))).text
  const others = before.split('\n').filter((one, at) => one !== after.split('\n')[at])
  expect(others.filter((one) => !one.includes('file_hash'))).toHaveLength(2)
})

test('a prompt of one long line is stored once beside the name of its role', () => {
  const cassette = asking('x'.repeat(600_000))
  delete cassette.exchanges[0]!.response.tool_calls
  const { text, loaded } = throughFile(cassette)
  expect(text.length).toBeLessThan(1.1 * 600_000)
  expect(loaded).toEqual(cassette)
})

test('what is another one in every recording stands on one line', () => {
  const { text } = throughFile({ ...asking('Be kind.'), oldestAnswer: '2026-01-01T00:00:00.000Z' })
  const [dates] = text.split('\n').filter((one) => one.includes('"timestamp"'))
  for (const field of ['oldest_answer', 'file_hash', 'hashes']) expect(dates).toContain(field)
  expect(text.match(/sha256-/g)).toHaveLength(dates!.match(/sha256-/g)!.length)
})

test('any events come back from their runs, and those that are alike are one', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constantFrom(null, true, 1.5))
  const data = fc.oneof(
    fc.record({ id: fc.constant('a'), delta: fc.record({ text: leaf }) }),
    fc.jsonValue(),
  )
  const event = fc.oneof(
    fc.string(),
    fc.record({ data }),
    fc.record({ event: fc.constantFrom('a', 'b'), data }),
  )
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const sent = JSON.parse(JSON.stringify(events)) as JsonValue[]
      const stored = JSON.parse(JSON.stringify(storeRuns(sent))) as JsonValue[]
      expect(JSON.stringify(restoreRuns(stored))).toBe(JSON.stringify(sent))
    }),
  )
  const chunks = ['one ', 'two ', 'three'].map((text) => ({ data: { id: 'a', delta: { text } } }))
  expect(storeRuns(chunks)).toEqual([
    { ...chunks[0], next: { '/data/delta/text': ['two ', 'three'] } },
  ])
})

test.for<[string, JsonValue]>([
  ['a place that there is not', { data: { a: 1 }, next: { '/data/b': [1] } }],
  ['lists of two lengths', { data: { a: 1, b: 1 }, next: { '/data/a': [1], '/data/b': [1, 2] } }],
  ['no values', { data: { a: 1 }, next: { '/data/a': [] } }],
  ['no list', { data: { a: 1 }, next: 7 }],
])('a run of events with %s is refused', async ([, run]) => {
  const restore = () => restoreRuns([run])
  expect(restore).toThrow(coded('invalid-cassette'))
  await expectGolden(await failureOf(restore), 'run')
})
