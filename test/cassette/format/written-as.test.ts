import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../properties.ts'
import { ValueDecoder } from '../../../src/cassette/decode.ts'
import { isWrittenAs } from '../../../src/cassette/format/written-as.ts'
import { type JsonValue, parseJson, tryReadJson } from '../../../src/json/json-value.ts'
import { sameInOrder } from '../../../src/json/key-order.ts'
import { sortKeys } from '../../../src/json/sort-keys.ts'

const noFile = (): Buffer => Buffer.alloc(0)
const decode = (stored: JsonValue): JsonValue => new ValueDecoder(noFile).decode(stored)
const isWritten = (stored: string, text: string): boolean =>
  isWrittenAs(parseJson(stored), text, decode)

test.each([
  ['{"a":1,"b":[true,null,"x"]}', '{"b":[true,null,"x"],"a":1}'],
  ['{"text":{"$text":["one\\n","two"]}}', '{"text":"one\\ntwo"}'],
  ['{"text":{"$text":["say \\"one\\"\\n","\\\\two"]}}', '{"text":"say \\"one\\"\\n\\\\two"}'],
  ['{"$json":{"$text":["one"]}}', '{"$text":["one"]}'],
  ['{"a":{"$stringified":{"b":1}}}', '{"a":"{\\"b\\":1}"}'],
  ['{"properties":{"why":{},"answer":{}}}', '{"properties":{"why":{},"answer":{}}}'],
  ['{"number":1.0,"other":1e3}', '{"other":1e3,"number":1.0}'],
  ['{"a":[],"b":{}}', '{"a":[],"b":{}}'],
])('%s is written as %s', (stored, text) => {
  expect(isWritten(stored, text)).toBe(true)
})

test.each([
  ['{"a":1}', '{"a":1} '],
  ['{"a":1}', '{"a":12}'],
  ['{"a":1,"b":2}', '{"a":1,"a":1}'],
  ['{"a":1}', '{"a":1,"a":1}'],
  ['{"a":1}', '{"a":1,"b":1}'],
  ['{"a":1,"b":2}', '{"a":1}'],
  ['{"properties":{"why":{},"answer":{}}}', '{"properties":{"answer":{},"why":{}}}'],
  // No JSON, though each looks like its value.
  ['{"a":"x\\ny"}', '{"a":"x\ny"}'],
  ['{"a":"x\\ty"}', '{"a":"x\ty"}'],
  ['{"a":"x\\",\\"b\\":\\"y"}', '{"a":"x","b":"y"}'],
  ['{"a\\\\":1}', '{"a\\":1}'],
  ['{"a":"x\\\\"}', '{"a":"x\\"}'],
  ['"one"', '"one"'],
  ['null', 'null'],
])('%s is not written as %s', (stored, text) => {
  expect(isWritten(stored, text)).toBe(false)
})

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>

test('any JSON is written as JSON.stringify writes it, in whatever order it is stored', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      const text = JSON.stringify(value)
      // Keys that mean something in a cassette, and those that an escape stands in, are read.
      fc.pre(!text.includes('\\') && !text.includes('"$') && !text.includes('rawJSON'))
      expect(isWrittenAs(sortKeys(parseJson(text)), text, decode)).toBe(true)
    }),
  )
})

test('a text of which one letter is another one is another value, or is read', () => {
  const pieces = fc.constantFrom('"', '\\', '\n', ' ', ',', ':', '1', 'a', '{', '}')
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.nat(), pieces, (value, at, piece) => {
      const text = JSON.stringify(value)
      const place = at % text.length
      const changed = text.slice(0, place) + piece + text.slice(place + 1)
      const isWritten = isWrittenAs(value, changed, (stored) => stored)
      const { value: read, isTwice } = tryReadJson(changed) ?? {}
      const isRead = isTwice === false && sameInOrder(value, read!)
      expect(isWritten && !isRead).toBe(false)
    }),
  )
})
