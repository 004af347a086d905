import { expect, test } from 'vitest'
import { visibleWidth } from '../../src/diff/row.ts'
import { renderText } from './render-text.ts'
import { changesOf } from './support-prompt.ts'
import { renderChanges } from './as-shown.ts'

const BREAK = '\u200b'

test('neither terminals nor CI runners find anything to obey', () => {
  const rows = renderText(
    'one\ntwo\nthree',
    'one\n::error::boom\n  ::set-output name=x::1\n##[group]\u001b[31m\u001b]8;;http://x\u0007link\n\u202eevil\nthree',
  )
  expect(rows).toEqual([
    '      one',
    '    - two',
    '    + ::error::boom',
    '    +   ::set-output name=x::1',
    `    + #${BREAK}#[group]<U+001B>[31m<U+001B>]8;;http://x<U+0007>link`,
    '    + <U+202E>evil',
    '      three',
  ])
})

test('a command in an unchanged line is broken too', () => {
  const rows = renderText('::error::boom\nhello\n', '::error::boom\nbye\n')
  expect(rows[0]).toBe(`      :${BREAK}:error::boom`)
})

test('names of tools, roles and fields are harmless', () => {
  const changes = changesOf((prompt) => {
    prompt.parameters['::error::\u001b[2J'] = 1
    prompt.messages[0]!.role = 'sys\n::error::tem'
    prompt.tools[0]!.name = '\u202e##[group]'
  })
  const text = renderChanges(changes, { color: false })
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e|^\s*::|##\w*\[/mu)
})

test.for([
  ['half-width Katakana', 'ｶﾅ', 2],
  ['Han', '漢字', 4],
  ['an emoji of several characters', '👩‍💻', 2],
  ['a letter with its accent apart', 'e\u0301', 1],
  ['what breaks commands', `a${BREAK}b`, 2],
] as const)('%s takes the columns that a terminal gives it', ([, text, columns]) => {
  expect(visibleWidth(text)).toBe(columns)
})
