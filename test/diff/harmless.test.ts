import { expect, test } from 'vitest'
import { harmless } from '../../src/diff/harmless.ts'

const BREAK = '\u200b'

test.each([
  ['colours', '\u001b[31mred\u001b[0m', '<U+001B>[31mred<U+001B>[0m'],
  ['links (OSC 8)', '\u001b]8;;http://x\u0007', '<U+001B>]8;;http://x<U+0007>'],
  ['the one-character form of ESC [', '\u009b2J', '<U+009B>2J'],
  ['tabs and carriage returns', 'a\tb\rc', 'a\\tb\\rc'],
  ['backspaces', 'safe\b\b\b\bevil', 'safe<U+0008><U+0008><U+0008><U+0008>evil'],
  ['bidi overrides and isolates', '\u202ecba\u2066\u2069', '<U+202E>cba<U+2066><U+2069>'],
  ['other line separators', 'a\u2028b\u0085c', 'a<U+2028>b<U+0085>c'],
  ['halves of surrogate pairs', 'a\ud800b', 'a<U+D800>b'],
])('%s are written out', (_name, text, expected) => {
  expect(harmless(text)).toBe(expected)
})

test.each([
  ['::error::boom', `:${BREAK}:error::boom`],
  ['fine\n  ::set-output name=x::1', `fine\n  :${BREAK}:set-output name=x::1`],
  ['\u00a0\u3000::error::boom', `\u00a0\u3000:${BREAK}:error::boom`],
  [':::error::boom', `:${BREAK}::error::boom`],
  ['say ##[group]x', `say #${BREAK}#[group]x`],
  ['###[error]x', `##${BREAK}#[error]x`],
  ['##vso[task.setvariable]', `#${BREAK}#vso[task.setvariable]`],
  ['##teamcity[buildStop]', `#${BREAK}#teamcity[buildStop]`],
])('the command in %j is broken', (text, expected) => {
  expect(harmless(text)).toBe(expected)
})

test.each(['a\nb', 'std::vector', '## Heading', '日本 👩‍💻 é', '#[derive]', ': :'])(
  '%j stays as it is',
  (text) => {
    expect(harmless(text)).toBe(text)
  },
)

test('it can be applied twice', () => {
  const once = harmless('::error:: \u001b[0m ##[group] \u202e')
  expect(harmless(once)).toBe(once)
})
