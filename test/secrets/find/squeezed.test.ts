import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsAnyOf } from '../../../src/secrets/find/squeezed.ts'

/** Few characters, so that pieces are found, begin alike and overlap. */
const textOf = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'n', '9', '\\', '語'), maxLength })

const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'n', '9'), minLength, maxLength })

test('a text holds a piece when it stands in it', () => {
  const pieces = fc.array(letters(1, 14), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(pieces, textOf(60), (some, text) => {
      expect(holdsAnyOf(some)(text)).toBe(some.some((piece) => text.includes(piece)))
    }),
  )
})

test('no piece is missed, wherever it stands', () => {
  fc.assert(
    fc.property(
      fc.array(letters(2, 30), { minLength: 1 }),
      textOf(40),
      textOf(40),
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
