import { expect, test } from 'vitest'
import { sameAsStored } from '../../../src/cassette/format/same-as-stored.ts'
import { ValueDecoder } from '../../../src/cassette/decode.ts'
import { type JsonValue, parseJson } from '../../../src/json/json-value.ts'
import { sameInOrder } from '../../../src/json/key-order.ts'
import { coded } from '../../golden.ts'

const noFile = (): Buffer => Buffer.alloc(0)
const decode = (stored: JsonValue): JsonValue => new ValueDecoder(noFile).decode(stored)

/** Stored values, each with what it stands for. */
const STORED: Array<[stored: string, value: string]> = [
  ['{"a":1,"b":[true,null,"x"]}', '{"b":[true,null,"x"],"a":1}'],
  ['{"text":{"$text":["one\\n","two"]}}', '{"text":"one\\ntwo"}'],
  ['{"$json":{"$text":["one"]}}', '{"$text":["one"]}'],
  ['{"a":{"$stringified":{"b":1}}}', '{"a":"{\\"b\\":1}"}'],
  [
    '{"$ref":"#/x","$defs":{"x":{"type":"string"}}}',
    '{"$defs":{"x":{"type":"string"}},"$ref":"#/x"}',
  ],
  ['{"properties":{"why":{},"answer":{}}}', '{"properties":{"why":{},"answer":{}}}'],
  ['{"properties":{"$a":{},"b":{"$text":["x\\n","y"]}}}', '{"properties":{"$a":{},"b":"x\\ny"}}'],
  ['{"number":1.0,"other":1e3}', '{"other":1e3,"number":1.0}'],
  ['[]', '[]'],
  ['{}', '{}'],
]

/** Values that none of them stands for, but which look like one. */
const OTHERS = [
  ...STORED.map(([, value]) => value),
  '{"a":1,"b":[true,null]}',
  '{"a":1,"b":[true,null,"x","y"]}',
  '{"a":1}',
  '{"a":1,"b":[true,null,"x"],"c":1}',
  '{"a":1,"b":{"0":true,"1":null,"2":"x"}}',
  '{"text":"one\\ntwo "}',
  '{"text":["one\\n","two"]}',
  '{"properties":{"answer":{},"why":{}}}',
  '{"properties":{"b":"x\\ny","$a":{}}}',
  '{"number":1,"other":1000}',
  '{"number":{"rawJSON":"1.0"},"other":{"rawJSON":"1e3"}}',
  '{"a":{"b":1}}',
  '{"__proto__":1}',
  'null',
  '"one"',
]

test.each(STORED)('%s stands for its value, and for no other', (stored, value) => {
  const read = parseJson(stored)
  expect(sameAsStored(read, parseJson(value), decode)).toBe(true)
  for (const other of OTHERS)
    expect(sameAsStored(read, parseJson(other), decode), other).toBe(
      sameInOrder(decode(read), parseJson(other)),
    )
})

test('a text whose pieces are no texts is no value', () => {
  expect(() => sameAsStored({ $text: [1] }, 'x', decode)).toThrow(coded('invalid-cassette'))
})
