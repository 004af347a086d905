import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../properties.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette, type StoredExchange } from '../../../src/cassette/format.ts'
import { StoredParts } from '../../../src/cassette/format/parts.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { recognizeCassette } from '../../../src/cassette/reader.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { coded } from '../../golden.ts'

/** Small enough that a part holds a few exchanges. */
const PART = 3_000

const asked = Array.from({ length: 20 }, (_, index) => `Question ${index}: ${'why? '.repeat(50)}`)
const cassette = recorded(
  ...asked.map((text, index): [ReturnType<typeof question>, string] => [
    question(text),
    `Line one of ${index}\n    },\n    {\nand ${'more '.repeat(index * 20)}`,
  ]),
)
const text = printCassette(encodeCassette(cassette, 'cassette.schema.json').stored)

/** All exchanges of a file, part by part; `undefined` where it has to be read as a whole. */
function readParts(file: string | Buffer): StoredExchange[][] | undefined {
  const parts = StoredParts.of(Buffer.from(file), PART)
  const all: StoredExchange[][] = []
  for (let part = parts?.read(); part; part = parts!.read()) all.push(part)
  return parts && all
}

test('the parts of a file are the file', () => {
  const parts = readParts(text)!
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.some((part) => part.length > 1)).toBe(true)
  const { exchanges, ...head } = parseCassette(text)
  expect(parts.flat()).toEqual(exchanges)
  expect(StoredParts.of(Buffer.from(text), PART)!.head).toEqual({ ...head, exchanges: [] })
})

test('a part that is larger than others are is read alone', () => {
  const parts = StoredParts.of(Buffer.from(text), 10)!
  expect(parts.read()).toEqual([parseCassette(text).exchanges[0]])
})

const value = JSON.parse(text) as object
test.each([
  ['small', text.slice(0, 100)],
  ['on one line', JSON.stringify(value)],
  ['indented by a formatter', JSON.stringify(value, undefined, 4)],
  ['printed by another program', `${JSON.stringify(value, undefined, 2)}\r\n`],
  ['of the line ends of Windows', text.replaceAll('\n', '\r\n')],
  ['with a field behind its exchanges', text.replace(/\]\n\}\n$/, '],\n  "$schema": "x"\n}\n')],
])('a file that is %s is read as a whole', (_, file) => {
  expect(readParts(file)).toBeUndefined()
})

test('a file with a byte order mark and no head is no JSON', () => {
  expect(() => readParts(`\uFEFF${text.slice(1)}`)).toThrow(SyntaxError)
})

test.each([
  ['bytes that are no text', (bytes: Buffer) => bytes.fill(0xff, 9_000, 9_001)],
  ['what is no JSON', (bytes: Buffer) => bytes.fill('}', 9_000, 9_040)],
])('a part with %s is broken, and those before it are not', (_, spoil) => {
  const parts = StoredParts.of(spoil(Buffer.from(text)), PART)!
  expect(parts.read()).toBeDefined()
  expect(() => {
    while (parts.read());
  }).toThrow()
})

test('an exchange that a person wrote is left to those who read the whole file', () => {
  const written =
    '    {\n      "prompt": { "text": "a" },\n      "response": { "text": "b" }\n    }'
  const parts = () => readParts(text.replace(/\n {2}\]\n\}\n$/, `,\n${written}\n  ]\n}\n`))
  expect(parts).toThrow(coded('invalid-cassette'))
})

test('whatever a person edits, the parts are the whole file, or one of them is broken', () => {
  const pieces = fc.constantFrom(
    ...'"\\{}[],:\n 0',
    '',
    '],',
    '}],"exchanges":[{',
    '\n    },\n    {\n',
    '\n    }\n  ]\n}\n',
    '\n  "exchanges": [\n    {\n',
    '"a": 1, ',
  )
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(40), pieces, (at, removed, piece) => {
      const edited = text.slice(0, at) + piece + text.slice(at + removed)
      let parts: StoredExchange[][] | undefined
      try {
        parts = readParts(edited)
      } catch {
        // Who reads it as a whole is told why.
      }
      expect(parts?.flat()).toEqual(parts && recognizeCassette(edited)?.exchanges)
    }),
    { numRuns: 1_000 },
  )
})
