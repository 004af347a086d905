import { expect, test } from 'vitest'
import { withoutAdvice } from '../../../../src/runners/vitest/reporters/shared-causes.ts'

const advice = 'Meant? Then:\n  \u001b[1mnpx vitest-cassette record\u001b[22m'
const plain = 'Meant? Then:\n  npx vitest-cassette record'

test.each([
  ['both have colours', advice, advice],
  ['the text has colours', advice, plain],
  ['neither has', plain, plain],
])('a failure without its commands: %s', (_, inText, commands) => {
  const shown = '  closest\n\n    - Meant? Then:\n    + no'
  expect(withoutAdvice(`${shown}\n\n${inText}\n\n  report    x`, commands)).toBe(shown)
})

test('a failure that has other commands is whole', () => {
  expect(withoutAdvice('  closest\n\nOther words\n', plain)).toBe('  closest\n\nOther words')
})

test('a failure that needs no command is whole', () => {
  const text = '  closest\n\nIn its config:\n  a: {}'
  expect(withoutAdvice(text, '')).toBe(text)
})
