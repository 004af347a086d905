import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { escapeKey } from '../../../src/cassette/format/markers.ts'
import { References } from '../../../src/cassette/format/references.ts'
import { foldRuns } from '../../../src/cassette/format/runs.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { recognizeCassette } from '../../../src/cassette/reader.ts'
import { type JsonValue, parseJson } from '../../../src/json/json-value.ts'
import { coded } from '../../golden.ts'
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
    '{"$join":1}',
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
  // Once for the request, and once among the arguments of the call.
  expect(before.match(/Rule 7 of/g)).toHaveLength(2)
  const after = throughFile(asking(lines.with(7, 'Rule 7 of the hut is kept.').join('\n'))).text
  const others = before.split('\n').filter((one, at) => one !== after.split('\n')[at])
  expect(others.filter((one) => !one.includes('"hashes"'))).toHaveLength(2)
})

test('a prompt of one long line is stored once beside the name of its role', () => {
  const cassette = asking('x'.repeat(600_000))
  delete cassette.exchanges[0]!.response.tool_calls
  const { text, loaded } = throughFile(cassette)
  expect(text.length).toBeLessThan(1.1 * 600_000)
  expect(loaded).toEqual(cassette)
})

/** Keys as a file has them: one that looks like a marker is escaped. */
function escaped(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(escaped)
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [escapeKey(key), escaped(child)]),
  )
}

test('any items come back from their runs, and those that are alike are one', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constantFrom(null, true, 1.5))
  const data = fc.oneof(
    fc.record({ id: fc.constant('a'), delta: fc.record({ text: leaf }) }),
    fc.record({ id: fc.constant('a'), n: leaf, delta: fc.tuple(leaf, leaf) }),
    fc.constantFrom({ $: 0 }, { $: 'text', a: 1 }, { $each: [1, 2] }, [': comment\n\n']),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), data)), (items) => {
      const sent = items.map((item) => escaped(parseJson(JSON.stringify(item))))
      const stored = parseJson(JSON.stringify(foldRuns(sent))) as JsonValue[]
      expect(JSON.stringify(stored.flatMap(References.spread))).toBe(JSON.stringify(sent))
    }),
  )
  const chunks = ['one ', 'two ', 'three'].map((text) => ({ id: 'a', delta: { text } }))
  expect(foldRuns(chunks)).toEqual([
    { id: 'a', delta: { text: { $each: ['one ', 'two ', 'three'] } } },
  ])
})

test('numbers of a run are spelled as they were sent', () => {
  const sent = parseJson('[{"n":1.0,"at":0.10},{"n":1e400,"at":0.10}]') as JsonValue[]
  const [stored, ...none] = foldRuns(sent)
  expect(none).toEqual([])
  expect(JSON.stringify(stored)).toBe('{"n":{"$each":[1.0,1e400]},"at":0.10}')
  expect(JSON.stringify(References.spread(stored!))).toBe(JSON.stringify(sent))
})

test('events that are the same stand one below the other', () => {
  const ping = { type: 'ping' }
  expect(foldRuns([ping, ping, 'a', 'a'])).toEqual([ping, ping, 'a', 'a'])
})

test.for<[string, JsonValue]>([
  ['lists of two lengths', { a: { $each: [1] }, b: { $each: [1, 2] } }],
  ['no values', { a: { $each: [] } }],
  ['no list', { a: { $each: 7 } }],
  ['something beside it', { a: { $each: [1], more: 1 } }],
])('a run with %s is refused', ([, run]) => {
  expect(() => References.spread(run)).toThrow(coded('invalid-cassette'))
})
