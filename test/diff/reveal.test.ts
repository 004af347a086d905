import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { anyText, relatedPrompts } from './prompt-arbitrary.ts'
import { renderText, sidesOf } from './render-text.ts'
import { changesOf } from './support-prompt.ts'
import { renderChanges } from './as-shown.ts'

test.each([
  ['a space at the end', 'Hello there', 'Hello there ', 'Hello there', 'Hello there·'],
  ['two spaces', 'Hello there', 'Hello  there', 'Hello there', 'Hello ·there'],
  ['a tab', 'a\tb', 'a b', 'a\\tb', 'a·b'],
  ['a no-break space', 'a b', 'a\u00a0b', 'a·b', 'a<U+00A0>b'],
  ['a zero-width space', 'order', 'or\u200bder', 'order', 'or<U+200B>der'],
  ['a soft hyphen beside a word', 'the order', 'an or\u00adder', 'the order', 'an or<U+00AD>der'],
  ['a byte order mark', 'order', '\ufefforder', 'order', '<U+FEFF>order'],
  ['a zero-width space in a foreign word', 'ordér', 'or\u200bdér', 'ordér', 'or<U+200B>dér'],
  ['a space behind new words', 'Where is it?', 'Sunny ', 'Where is it?', 'Sunny·'],
  ['an emoji variant', '❤', '❤\ufe0f', '❤', '❤<U+FE0F>'],
  ['composed letters', 'café', 'cafe\u0301', 'caf<U+00E9>', 'cafe<U+0301>'],
  ['letters of another script', 'paypal', 'pаypal', 'paypal', 'p<U+0430>ypal'],
  ['typographic quotes', "don't", 'don’t', "don't", 'don<U+2019>t'],
  ['a dot like our own', 'a·b', 'a b', 'a<U+00B7>b', 'a·b'],
  ['an empty text', '', ' ', '(empty line)', '·'],
  ['a text like our own words', '(empty line)', '', '"(empty line)"', '""'],
  ['invisible tag characters', 'hi', 'hi\u{e0068}', 'hi', 'hi<U+E0068>'],
  ['a text in tags', 'hi', 'hi\u{e0049}\u{e0067}', 'hi', 'hi<tags:Ig>'],
  ['a text in tags beside others', 'hi', 'ho\u{e0049}\u{e0067}', 'hi', 'ho<tags:Ig>'],
  ['a joiner between letters', 'the order', 'an or\u200dder', 'the order', 'an or<U+200D>der'],
  ['another member of a family', 'a 👨‍👩‍👧 b', 'a 👨‍👩‍👦 b', 'a 👨‍👩‍👧 b', 'a 👨‍👩‍👦 b'],
  ['a joiner in Persian alone', 'می\u200cخ', 'میخ', 'می<U+200C>خ', 'میخ'],
])('%s', (_name, before, after, removed, added) => {
  expect(renderText(before, after)).toEqual([`    - ${removed}`, `    + ${added}`])
})

test('line ends', () => {
  expect(renderText('one\r\ntwo', 'one\ntwo')).toEqual(['    - one\\r', '    + one', '      two'])
  expect(renderText('one\ntwo', 'one two')).toEqual([
    '    - one[-\\n-]',
    '    - two',
    '    + one{+·+}two',
  ])
  expect(renderText('one', 'one\n')).toEqual(['      one', '    + (empty line)'])
})

test('indentation', () => {
  expect(renderText('if:\n    go', 'if:\n  go')).toEqual([
    '      if:',
    '    -   ··go',
    '    +   go',
  ])
})

test('images whose hashes begin alike', () => {
  const text = renderChanges(
    changesOf((prompt) => {
      prompt.messages[7]!.parts[1] = {
        type: 'blob',
        mimeType: 'image/png',
        hash: `${'a'.repeat(63)}b`,
        size: 1_234,
      }
    }),
    { color: false },
  )
  expect(text).toContain('{+b+}')
})

test('any two edits differ on the screen', () => {
  fc.assert(
    fc.property(relatedPrompts, ([one, other]) => {
      const edits = diffPrompts(one, other).filter(({ kind }) => kind === 'edited')
      const unseen = edits.filter((change) => {
        const [removed, added] = sidesOf(renderChanges([change], { color: true }).split('\n'))
        return isDeepStrictEqual(removed, added)
      })
      expect(unseen).toEqual([])
    }),
    { numRuns: 400 },
  )
})

test('any two texts differ on the screen', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (before, after, mutate) => {
      const other = mutate ? before.replace(/ |a|e|$/, after.slice(0, 1)) : after
      fc.pre(before !== other)
      const [removed, added] = sidesOf(renderText(before, other, { color: true }))
      expect(removed).not.toEqual(added)
    }),
    { numRuns: 1_000 },
  )
})
