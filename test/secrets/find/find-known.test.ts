import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsAnyOf } from '../../../src/secrets/find/find-known.ts'

/** Few letters, so that pieces are found, begin alike and overlap. */
const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '語'), minLength, maxLength })

test('a text holds a piece when its beginning of a common width stands in it', () => {
  const pieces = fc.array(letters(2, 14), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(pieces, letters(0, 60), (some, text) => {
      const width = Math.min(12, ...some.map(({ length }) => length))
      const expected = some.some((piece) => text.includes(piece.slice(0, width)))
      expect(holdsAnyOf(some)(text)).toBe(expected)
    }),
  )
})

test('no piece is missed, wherever it stands', () => {
  fc.assert(
    fc.property(
      fc.array(letters(2, 30), { minLength: 1 }),
      letters(0, 40),
      letters(0, 40),
      (some, before, after) => {
        const holds = holdsAnyOf(some)
        expect(some.every((piece) => holds(before + piece + after))).toBe(true)
      },
    ),
  )
})

test('of no pieces no text holds one', () => {
  expect(holdsAnyOf([])('anything')).toBe(false)
})
