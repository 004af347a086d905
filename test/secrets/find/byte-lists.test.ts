import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesPrintedIn } from '../../../src/secrets/find/byte-lists.ts'

const between = fc.constantFrom(',', ', ', ',\n', ' ', '\t', `,\n${' '.repeat(40)}`)
const spelled = fc.constantFrom(String, (byte: number) => `0x${byte.toString(16)}`)
const around = fc.constantFrom('', 'Bytes: [', 'été = new Uint8Array([\n', 'w.')

test('a list of bytes is read wherever it stands in a text, however it is printed', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnop_0123456789'),
    minLength: 16,
    maxLength: 60,
  })
  fc.assert(
    fc.property(word, between, spelled, around, fc.lorem(), (said, comma, spell, before, prose) => {
      const list = Array.from(Buffer.from(said), spell).join(comma)
      expect(bytesPrintedIn(`${prose} ${before} ${list} ${prose}`).join()).toContain(said)
    }),
  )
})

test('as JSON writes a Uint8Array', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abcdef0123'), minLength: 16, maxLength: 40 }),
      (said) => {
        const bytes = Uint8Array.from(Buffer.from(said))
        expect(bytesPrintedIn(`{"data":${JSON.stringify(bytes)}}`)[0]).toContain(said)
      },
    ),
  )
})

test('fewer numbers are no list', () => {
  const bytes = Array.from(Buffer.from('abcdefghijklmno'))
  expect(bytesPrintedIn(`[${bytes.join()}] and [${bytes.join()}]`)).toEqual([])
})
