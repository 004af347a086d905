import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { visibleWidth } from '../../src/diff/row.ts'
import type { Prompt } from '../../src/prompt/prompt.ts'
import { relatedPrompts } from './prompt-arbitrary.ts'
import { renderText } from './render-text.ts'
import { promptOf, supportPrompt, textMessage } from './support-prompt.ts'
import { renderChanges } from './as-shown.ts'
import { expectGolden } from '../golden.ts'

function renderEdit(edit: (prompt: Prompt) => void): string {
  return renderChanges(diffPrompts(supportPrompt(), supportPrompt(edit)), { color: false })
}

/** Words that are all different. */
const random = (count: number, start: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    (((index + start) * 2_654_435_761) % 4_294_967_296).toString(36),
  )

test('a change reads from the conversation down to the word', () => {
  const text = renderEdit((prompt) => {
    prompt.messages[8] = textMessage('user', 'Summarise the newest ticket in one line')
    prompt.parameters.temperature = 0.2
    prompt.tools[0]!.description = 'Looks an order up by its id.'
  })
  expect(text).toBe(`\
  8 messages unchanged
  message 9 · user
    - Summarise the [-last-] ticket in one line
    + Summarise the {+newest+} ticket in one line
  temperature
    - 0
    + 0.2
  tool "lookup" · description
    - Looks an order up by its [-number-].
    + Looks an order up by its {+id+}.`)
})

test('whole messages, parts and tools are shown with what they hold', () => {
  const text = renderEdit((prompt) => {
    prompt.messages.splice(1, 2)
    prompt.messages[5]!.parts[1] = { type: 'blob', hash: 'b'.repeat(64), size: 1 }
    prompt.messages.push({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool_call', id: 'z', name: 'refund', arguments: { id: 7, all: true } },
      ],
      extra: { name: 'Ann' },
    })
    prompt.tools.push({ name: 'cancel', description: 'Cancels.', parameters: { type: 'object' } })
  })
  expect(text).toBe(`\
  1 message unchanged
  recorded message 2 · user · removed
    - Where is my order?
  recorded message 3 · assistant · removed
    - Which order do you mean?
  4 messages unchanged
  message 6 · user, was 8 · part 2 attachment
    - [-image/png-], 1[-,234 bytes-], sha256 [-aaaaaaaaaaaa-]
    + {+unknown type+}, 1{+ byte+}, sha256 {+bbbbbbbbbbbb+}
  1 message unchanged
  message 8 · assistant · added
    + reasoning: Hm.
    + call refund {"id": 7, "all": true}
    + {"name": "Ann"}
  tool "cancel" · added
    + Cancels.
    + parameters: {"type": "object"}`)
})

test('colours mark lines and changed words, and say the same as plain text', () => {
  const changes = diffPrompts(
    promptOf('Summarise the last ticket in one line'),
    promptOf('Summarise the newest ticket in one line'),
  )
  const [heading, removed, added] = renderChanges(changes, { color: true }).split('\n')
  expect(heading).toBe('\u001b[1m  message 1 · user\u001b[22m')
  expect(removed).toBe(
    '\u001b[31m    - Summarise the \u001b[7mlast\u001b[27m ticket in one line\u001b[39m',
  )
  expect(added).toContain('\u001b[32m')
  const plain = renderChanges(changes, { color: false }).replace(/\[-|-\]|\{\+|\+\}/g, '')
  expect(stripVTControlCharacters([heading, removed, added].join('\n'))).toBe(plain)
})

describe('texts', () => {
  test('one word in a 5 KB line is shown with the words around it', () => {
    const words = Array.from({ length: 800 }, (_, index) => `word${index}`)
    expect(renderText(words.join(' '), words.with(400, 'HERE').join(' '))).toEqual([
      '    - … word396 word397 word398 word399 [-word400-] word401 word402 word403 word404 …',
      '    + … word396 word397 word398 word399 {+HERE+} word401 word402 word403 word404 …',
    ])
  })

  test('one character in a long text without spaces is shown', () => {
    const [before, after] = ['X', 'Y'].map(
      (middle) => 'a'.repeat(3_000) + middle + 'b'.repeat(3_000),
    )
    const [removed, added] = renderText(before!, after!)
    expect(removed).toContain('a[-X-]b')
    expect(added).toContain('a{+Y+}b')
  })

  test('of many lines only those around a change are shown', () => {
    const lines = Array.from({ length: 80 }, (_, index) => `Rule ${index}: be kind to customers`)
    expect(
      renderText(lines.join('\n'), lines.with(40, 'Rule 40: be rude to customers').join('\n')),
    ).toEqual([
      '      … 39 lines unchanged',
      '      Rule 39: be kind to customers',
      '    - Rule 40: be [-kind-] to customers',
      '    + Rule 40: be {+rude+} to customers',
      '      Rule 41: be kind to customers',
      '      … 38 lines unchanged',
    ])
  })

  test('changed passages that do not fit are counted', async () => {
    const lines = random(300, 0)
    const edited = lines.map((line, index) => (index % 3 === 1 ? `${line} edited` : line))
    const rows = renderText(lines.join('\n'), edited.join('\n'))
    expect(rows.length).toBeLessThanOrEqual(40)
    expect(rows.at(-1)).toMatch(/^ {6}… \d\d \w/)
    await expectGolden(rows.at(-1)!.replace(/\d\d/, '<number>'), 'more-passages')
  })

  test('texts with nothing in common carry no marks', () => {
    expect(renderText('Where is my order, please?', 'Write a poem about rain in Bergen')).toEqual([
      '    - Where is my order, please?',
      '    + Write a poem about rain in Bergen',
    ])
  })

  test('a long replacement shows both of its ends', () => {
    const filler = (word: string): string => Array.from({ length: 300 }, () => word).join(' ')
    const rows = renderText(
      `Keep this ${filler('old')} and this, and only then go on`.repeat(2),
      `Keep this ${filler('new')} and this, and only then go on`.repeat(2),
    )
    expect(rows.length).toBeLessThan(14)
    expect(rows.join('\n')).toMatch(/old … [\d,]+ characters … old/)
  })

  test('a change in a script without spaces is one character', () => {
    const [, added] = renderText(
      '今日はとても良い天気ですね。散歩に行きましょう。',
      '今日はとても悪い天気ですね。散歩に行きましょう。',
      { color: true },
    )
    expect(added).toContain('\u001b[7m悪\u001b[27m')
  })
})

describe('bounds', () => {
  test.each([
    ['one line changed everywhere', ' ', ' '],
    ['60,000 lines changed everywhere', '\n', '\n'],
    ['other line ends everywhere', '\r\n', '\n'],
  ])('400 KB, %s', { timeout: 5_000 }, (_name, oldSeparator, newSeparator) => {
    const before = random(60_000, 0).join(oldSeparator)
    const after = random(60_000, oldSeparator === newSeparator ? 1e6 : 0).join(newSeparator)
    const rows = renderText(before, after)
    expect(rows.length).toBeLessThan(60)
    expect(rows.length).toBeGreaterThan(4)
  })

  test('what does not fit is counted and named', () => {
    const history = (word: string): Prompt => ({
      ...promptOf(''),
      messages: random(40, 0).map((text) => textMessage('user', `${text} ${word}`)),
    })
    const lines = renderChanges(diffPrompts(history('old'), history('new')), {
      color: false,
      maxLines: 10,
    }).split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toBe(
      '  … and 37 more changes: message 4, message 5, message 6, message 7, message 8, message 9, message…',
    )
  })

  test('a long message that was added is cut after some lines', () => {
    const text = renderEdit((prompt) =>
      prompt.messages.push(textMessage('user', random(99, 0).join('\n'))),
    )
    expect(text.split('\n')).toHaveLength(16)
    expect(text).toMatch(/\n {4}\+ {3}… 86 more lines$/)
  })

  test('no changes are no text', () => {
    expect(renderChanges([], { color: true })).toBe('')
  })

  test('any prompts stay within width and length, without control characters', () => {
    const options = fc.record({
      width: fc.integer({ min: 20, max: 120 }),
      maxLines: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(relatedPrompts, options, ([one, other], { width, maxLines }) => {
        const changes = diffPrompts(one, other)
        const plain = renderChanges(changes, { color: false, width, maxLines })
        const colored = renderChanges(changes, { color: true, width, maxLines })
        for (const text of [plain, stripVTControlCharacters(colored)]) {
          const lines = text.split('\n')
          expect(lines.length).toBeLessThanOrEqual(maxLines)
          for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width)
          expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u)
          expect(text).not.toMatch(/^\s*::|##\w*\[/m)
        }
        expect(plain === '').toBe(changes.length === 0)
      }),
      { numRuns: 400 },
    )
  })
})
