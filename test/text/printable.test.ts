import { expect, test } from 'vitest'
import { printable } from '../../src/text/printable.ts'

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
  ['a text in tags', 'hi\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}', 'hi<tags:Ignore>'],
  ['the ends of tags', 'hi\u{e0001}\u{e007f}', 'hi<U+E0001><U+E007F>'],
  ['a command in tags', '\u{e003a}\u{e003a}\u{e0061}', '<tags:::a>'],
  ['variation selectors in a row', '😀\ufe0f\u{e0158}\u{e0155}', '😀\ufe0f<U+E0158><U+E0155>'],
  ['variation selectors at letters', 'a\ufe0fb\ufe00', 'a<U+FE0F>b<U+FE00>'],
  ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'a<U+200B>b<U+2060>c<U+FEFF>d'],
  ['joiners in Latin', 'pass\u200cword\u200d', 'pass<U+200C>word<U+200D>'],
  ['joiners in a row', 'می\u200c\u200cخو', 'می<U+200C><U+200C>خو'],
  ['soft hyphens', 'or\u00adder', 'or<U+00AD>der'],
  [
    'fillers',
    'a\u3164\u115f\u1160\uffa0\u034f\u180e\u17b4',
    'a<U+3164><U+115F><U+1160><U+FFA0><U+034F><U+180E><U+17B4>',
  ],
  ['annotations and musical controls', '\ufff9a\ufffb\u{1d173}', '<U+FFF9>a<U+FFFB><U+1D173>'],
])('%s are written out', (_name, text, expected) => {
  expect(printable(text)).toBe(expected)
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
  expect(printable(text)).toBe(expected)
})

test.each(['a\nb', 'std::vector', '## Heading', '日本 👩‍💻 é', '#[derive]', ': :'])(
  '%j stays as it is',
  (text) => {
    expect(printable(text)).toBe(text)
  },
)

test.each([
  ['a family', '👨‍👩‍👧‍👦'],
  ['skin and profession', '👩🏽‍🚀'],
  ['a heart on fire', '❤️‍🔥 ☺︎'],
  ['flags', '🇩🇪 🏳️‍🌈 🏴‍☠️'],
  ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['a keycap', '1️⃣ #️⃣'],
  ['signs', '™️ ©️ ↔️'],
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['Hebrew points', 'שָׁלוֹם'],
  ['Mongolian', 'ᠠ\u180b'],
])('%s stays readable', (_name, text) => {
  expect(printable(text)).toBe(text)
})

test('letters in tags that make no flag are read', () => {
  expect(printable('🏴\u{e0067}\u{e0062}\u{e0078}\u{e007f}')).toBe('🏴<tags:gbx><U+E007F>')
})

test('it can be applied twice', () => {
  const once = printable('::error:: \u001b[0m ##[group] \u202e \u200b')
  expect(printable(once)).toBe(once)
})
