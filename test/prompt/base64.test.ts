import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBase64, hashBase64 } from '../../src/prompt/base64.ts'
import { sha256 } from '../../src/prompt/sha256.ts'

const picture = (seed: string): string =>
  `data:image/png;base64,${Buffer.alloc(2 ** 20, seed).toString('base64')}`

test('every picture keeps its hash, however many there were before and however often it is asked', () => {
  // More than are remembered, of one length and with one beginning.
  const pictures = Array.from({ length: 60 }, (_, index) => picture(`the same beginning ${index}`))
  const hashes = pictures.map((text) => sha256(findBase64(text)!.base64))
  expect(new Set(hashes).size).toBe(60)
  for (let round = 0; round < 2; round++)
    expect(pictures.map((text) => hashBase64(text)!.hash)).toEqual(hashes)
})

test('what is no long base64 has no hash', () => {
  for (const text of ['', 'aGVsbG8=', 'A sentence. '.repeat(200), `${picture('x')}!`])
    expect(hashBase64(text)).toBeUndefined()
})

test('whatever stands at its end, a long text is base64 or not as the grammar says', () => {
  const grammar = /^[A-Za-z0-9+/_-]+={0,2}$/
  const ends = fc.string({
    unit: fc.constantFrom('A', '9', '-', '/', '=', '.', ' ', '\n'),
    maxLength: 6,
  })
  fc.assert(
    fc.property(ends, (end) => {
      const text = 'QUJD'.repeat(300) + end
      expect(findBase64(text) !== undefined).toBe(grammar.test(text))
    }),
  )
})
