import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { textOf, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { coded } from '../golden.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'
import { throughFile } from './through-file.ts'

const lines = (text: string): Body => readBody(new TextEncoder().encode(text), 'application/jsonl')

test('newline-delimited JSON is stored one value per line', () => {
  const cassette = exampleCassette({})
  const body = lines(`{"text":"${'a'.repeat(200)}"}\n{"n":[1,{"b":2}]}\n{"done":true}\n`)
  cassette.exchanges = [exampleExchange(1, {}, body)]
  const { text, loaded } = throughFile(cassette)
  expect(text).toContain('"lines": [\n')
  expect(text).toContain('{"n":[1,{"b":2}]},\n')
  expect(text).toContain('{"done":true}\n')
  expect(loaded.exchanges[0]!.wire!.response!.body).toEqual(body)
})

test('requests of several lines come back, also when they are alike', () => {
  const cassette = exampleCassette({}, {})
  const long = 'Be kind. '.repeat(100)
  const sent = lines(`{"custom_id": "a", "body": {"messages": [{"content": "${long}"}]}}\r\n`)
  for (const { wire } of cassette.exchanges) wire!.request.body = sent
  const { loaded } = throughFile(cassette)
  expect(loaded.exchanges.map(({ wire }) => wire!.request.body)).toEqual([sent, sent])
})

test('an image in a line becomes a file that a person can open', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3_000, 7)])
  const cassette = exampleCassette({})
  const body = lines(`{"image":"${png.toString('base64')}"}\n{"done":true}\n`)
  cassette.exchanges = [exampleExchange(1, {}, body)]
  const { text, loaded } = throughFile(cassette)
  expect(text).toContain('"$file"')
  expect(text).not.toContain(png.toString('base64'))
  expect(loaded.exchanges[0]!.wire!.response!.body).toEqual(body)
})

test('any lines come back, whatever their keys are called', () => {
  const key = fc.constantFrom('$', '$file', '$each', '$$join', '$like', '__proto__', 'a')
  const value = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())))
  const end = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(value, end), { minLength: 1 }), (sent) => {
      const body = lines(sent.map(([line, eol]) => JSON.stringify(line) + eol).join(''))
      const cassette = exampleCassette({})
      cassette.exchanges = [exampleExchange(1, {}, body)]
      cassette.exchanges[0]!.wire!.request.body = body
      const { request, response } = throughFile(cassette).loaded.exchanges[0]!.wire!
      expect(textOf(response!.body)).toBe(textOf(body))
      expect(textOf(request.body)).toBe(textOf(body))
    }),
    { numRuns: 100 },
  )
})

test('lines that are none are refused', () => {
  const { stored } = encodeCassette(exampleCassette({}), 'schema.json')
  for (const line of [7, null, ['a'], [{ $: 'text' }]]) {
    stored.exchanges[0]!.response.sent = { status: 200, headers: {}, lines: [line] }
    expect(() => decodeCassette(stored, () => Buffer.of())).toThrow(coded('invalid-cassette'))
  }
})
