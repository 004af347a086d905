import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLikely } from '../../src/secrets/find-likely.ts'
import { FORMS } from '../../src/secrets/rules/forms.ts'

/** What each form finds whose mark stands in a text, asked one by one. */
function formedIn(text: string): string[] {
  return FORMS.filter(({ mark }) => text.toLowerCase().includes(mark)).flatMap(
    ({ name, pattern, accept }) =>
      Array.from(text.matchAll(pattern)).flatMap(({ 0: whole, groups = {} }) => {
        const secret = groups.secret ?? groups.double ?? groups.single ?? whole
        return !accept || accept(secret, groups) ? [`${name} ${secret}`] : []
      }),
  )
}

test('the marks of forms keep from no text what its form finds', () => {
  const random = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/)
  const mark = fc.constantFrom(...FORMS.map(({ mark: one }) => one))
  const piece = fc.oneof(
    mark,
    mark.map((one) => one.toUpperCase()),
    random,
    fc.constantFrom(
      ' ',
      ': ',
      '="',
      '"',
      "'",
      '@host',
      'Bearer ',
      'user:',
      'cookie: sid=',
      '\u212a',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join('')
      const found = findLikely(text).map(({ rule, secret }) => `${rule} ${secret}`)
      expect(found).toEqual(expect.arrayContaining(formedIn(text)))
    }),
  )
})
