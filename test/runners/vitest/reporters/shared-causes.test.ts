import { expect, test } from 'vitest'
import { withoutAdvice } from '../../../../src/runners/vitest/reporters/shared-causes.ts'

const advice = 'If it is meant, record:\n  \u001b[1mnpx vitest-cassette record\u001b[22m'
const plain = 'If it is meant, record:\n  npx vitest-cassette record'

test.each([
  ['both have colours', advice, advice],
  ['the text has colours', advice, plain],
  ['neither has', plain, plain],
])('a failure without its commands: %s', (_, inText, commands) => {
  const shown = '  closest\n\n    - If it is meant, record:\n    + no'
  expect(withoutAdvice(`${shown}\n\n${inText}\n\n  report    x`, commands)).toBe(shown)
})

test('a failure that has other commands is whole', () => {
  expect(withoutAdvice('  closest\n\nOther words\n', plain)).toBe('  closest\n\nOther words')
})

test('a failure that needs no command is whole', () => {
  const text = '  closest\n\nWrite into its config:\n  test: {}'
  expect(withoutAdvice(text, '')).toBe(text)
})
