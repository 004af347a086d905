import pc from 'picocolors'
import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { compareCassettes } from '../../../src/tools/compare/compare-cassettes.ts'
import { groupChanges, jsonOfGroup } from '../../../src/tools/review/groups.ts'
import { renderGroup, type TextOptions } from '../../../src/tools/review/render-text.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { stateOf } from './states.ts'

function rendered(before: Cassette, after: Cassette, options: Partial<TextOptions> = {}): string {
  const comparison = compareCassettes({
    name: 'a.test.ts/asks.json',
    before: stateOf(before),
    after: stateOf(after),
  })
  const [group] = groupChanges([comparison])
  return renderGroup(group!, { width: 100, colors: pc.createColors(false), ...options })
}

const answering = (text: string): Cassette => recorded([question('Hi'), text])

test('before and after stand beside each other where there is room, line by line', () => {
  const [before, after] = [answering('one\ntwo\n漢字\nfour'), answering('ONE\n2\nthree\n漢字\n4')]
  const text = rendered(before, after, { beside: true })
  expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
    '1 cassette  answer 1 · lines 1, 5',
    '    - one                                             + ONE',
    '    - two                                             + 2',
    '                                                      + three',
    '    - four                                            + 4',
    '  a.test.ts/asks.json',
  ])
  const narrow = rendered(before, after, { beside: true, width: 99 })
  expect(narrow).toContain('    - one\n')
})

test('a side that is wide or coloured moves nothing of the other', () => {
  const text = rendered(answering('漢字'), answering('kanji'), {
    beside: true,
    colors: pc.createColors(true),
  })
  const line = text.split('\n').find((one) => one.includes('kanji'))!
  // Two characters of two columns each.
  // oxlint-disable-next-line no-control-regex -- the colours of the line
  expect(line.replaceAll(/\u001b\[\d+m/g, '').indexOf('+ kanji')).toBe(54 - 2)
})

test.for([false, true])('without a limit of rows, a long line is there to its end', (beside) => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  const other = words.replaceAll('word', 'term')
  for (const [before, after, seen] of [
    [answering(words), answering(`${words} and the end`), ['and the end']],
    [answering(words), answering(other), ['word199', 'term199', 'term100']],
    [answering(''), answering(words), ['word100', 'word199']],
  ] as const) {
    const text = rendered(before, after, { rows: Infinity, beside })
    for (const part of seen) expect(text).toContain(part)
  }
})

test('of a changed prompt it says where answers are those to another one', async () => {
  const before = recorded([question('Hi'), 'Ho'])
  const after = recorded([question('Hello'), 'Ho'])
  Object.assign(after.exchanges[0]!.response, { kept: true })
  await expectGolden(rendered(before, after), 'kept')
})

test('an answer that was kept for another prompt of the same cassette is not said of this one', () => {
  const before = recorded([question('Hi'), 'Ho'], [question('Who?'), 'Me'])
  const after = recorded([question('Hello'), 'Ho'], [question('What?'), 'Me'])
  Object.assign(after.exchanges[1]!.response, { kept: true })
  const pair = { name: 'a.json', before: stateOf(before), after: stateOf(after) }
  const comparison = compareCassettes(pair)
  const groups = groupChanges([comparison])
  expect(groups.map((group) => jsonOfGroup(group).kept)).toEqual([0, 1])
  const texts = groups.map((group) =>
    renderGroup(group, { width: 100, colors: pc.createColors(false) }),
  )
  expect(texts.map((text) => /^ {2}1 .*\.$/m.test(text))).toEqual([false, true])
})
