import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf, writeBody, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { bareJson } from '../bare-json.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string, contentType?: string): Body => readBody(encode(text), contentType)
const linesOf = (body: Body): unknown => (body.kind === 'lines' ? body.lines : body.kind)

test.for([
  'application/x-ndjson',
  'application/x-ndjson; charset=utf-8',
  'application/json-lines',
  'application/jsonl',
  'application/stream+json',
])('%s is one value per line, delivered line by line', (contentType) => {
  const text = '{"response":"a","done":false}\n{"response":"","done":true}\n'
  const body = read(text, contentType)
  expect(linesOf(body)).toEqual([
    { response: 'a', done: false },
    { response: '', done: true },
  ])
  expect(writeBody(body).map((piece) => Buffer.from(piece).toString())).toEqual(
    text.split(/(?<=\n)/),
  )
  expect(textOf(body)).toBe(text)
})

test('one line is enough where the content type says so', () => {
  expect(linesOf(read('{"a":1}\n', 'application/x-ndjson'))).toEqual([{ a: 1 }])
  expect(read('{"a":1}\n').kind).toBe('json')
})

test('what cannot be spelled again like the other lines stays text', () => {
  const spelled = '{"a": 1, "b": "long enough"}\r\n{"a":1}\r\n\r\nnull\r\n{"cut":'
  expect(linesOf(read(spelled, 'application/x-ndjson'))).toEqual([
    { a: 1, b: 'long enough' },
    '{"a":1}\r\n',
    '\r\n',
    'null\r\n',
    '{"cut":',
  ])
})

test.for([
  ['lines', '{"a":1}\n{"a":2}\n'],
  ['lines', '{"a":1}\r\n{"a":2}\r\n'],
  ['lines', '{"a":1}\n{"a":2}'],
  ['text', '{"a":1}\n{"a":'],
  ['text', '{"a":1}\n\n{"a":2}\n'],
  ['text', '{"a":1}\n[2]\n'],
  ['text', '{"a":1}\n{"a":2}\nnull\n{"a":3}\n'],
  ['text', '{"a":1}\n{"a":2}\n[3]'],
  ['lines', '{"a":1}\n{"a" :2}\n{"a":3}\n'],
  ['text', '{"a":1}\n{"a":2,"a":3}\n'],
  ['text', 'one\n{"a":1}\n{"a":2}\n'],
  ['json', '{\n  "a": 1\n}\n'],
  ['json', '{"a":1}\n'],
])('without a content type, %s is what %j is', ([kind, text]) => {
  expect(read(text!).kind).toBe(kind)
  expect(textOf(read(text!))).toBe(text)
})

test('any lines come back byte for byte', () => {
  const line = fc.oneof(
    fc.json(),
    fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.constantFrom('{"a": 1.0}', '{"a":"caf\\u00e9"}', '{"a":1 }', '', '{', '\uFEFF{}', '{"a":1}'),
  )
  const text = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n', '', ' \n')), { minLength: 1 })
    .map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('application/x-ndjson', ''), (sent, contentType) => {
      const body = read(sent, contentType)
      const back = Buffer.concat(writeBody(body)).toString()
      // A single line is JSON where no content type says what it is.
      if (body.kind === 'json') expect(bareJson(back)).toBe(bareJson(sent))
      else expect(back).toBe(sent)
    }),
    { numRuns: 500 },
  )
})
