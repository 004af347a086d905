import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRawNumber, parseJson, tryParseJson } from '../../src/json/json-value.ts'
import { copyPlain } from '../../src/json/walk.ts'
import { coded } from '../golden.ts'

test('numbers that a double would print differently keep their spelling', () => {
  for (const spelling of ['1.0', '12345678901234567890', '1e21', '-0', '0.10', '1E5', '1e400']) {
    const value = parseJson(`{"n":${spelling}}`) as { n: unknown }
    expect(isRawNumber(value.n), spelling).toBe(true)
    expect(JSON.stringify(value)).toBe(`{"n":${spelling}}`)
  }
})

test('numbers keep their spelling beside any texts, and texts are no numbers', () => {
  const anyText = fc.string({ unit: fc.constantFrom('"', '\\', '1.0', ',', ':', 'e5', 'ä', '-0 ') })
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.constantFrom('1.0', '-0', '1e21', '7'),
      (one, other, number) => {
        const texts = [JSON.stringify(one), JSON.stringify(other)] as const
        for (const json of [`[${texts[0]},${number},${texts[1]}]`, `{${texts[0]}:${number}}`])
          expect(JSON.stringify(parseJson(json))).toBe(json)
      },
    ),
    { numRuns: 500 },
  )
})

test('ordinary numbers are numbers', () => {
  expect(parseJson('[0, 0.5, -3, 1e-7, 9007199254740991]')).toEqual([
    0, 0.5, -3, 1e-7, 9007199254740991,
  ])
})

test('any JSON text comes back as it was', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text))
      expect(JSON.stringify(parseJson(compact))).toBe(compact)
    }),
  )
})

test('10,000 levels are a clear error and no crash', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const text = open.repeat(10_000) + '1' + close.repeat(10_000)
    expect(() => parseJson(text)).toThrow(coded('invalid-json'))
  }
})

test('a million levels and a number with an exponent are no crash either', () => {
  const text = '['.repeat(1_000_000) + '1e5' + ']'.repeat(1_000_000)
  expect(() => parseJson(text)).toThrow(coded('invalid-json'))
  expect(tryParseJson(text)).toBeUndefined()
})

test('a text that is not JSON is undefined where that is allowed', () => {
  expect(tryParseJson('{"a":')).toBeUndefined()
  expect(() => parseJson('{"a":')).toThrow(SyntaxError)
})

test('numbers that keep their spelling become plain numbers, everywhere', () => {
  const value = parseJson(
    '{"price": 1.50, "list": [1e3, {"deep": -0.0}], "text": "1.0", "no": null}',
  )
  expect(copyPlain(value)).toEqual({
    price: 1.5,
    list: [1000, { deep: -0 }],
    text: '1.0',
    no: null,
  })
})

test('nothing of the copy is shared with what was copied', () => {
  const value = { list: [{ a: 1 }] }
  const copy = copyPlain(value)
  copy.list[0]!.a = 2
  expect(value.list[0]!.a).toBe(1)
})
