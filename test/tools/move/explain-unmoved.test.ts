import { expect, test } from 'vitest'
import { explainUnmoved, likelyPairs, type Lone } from '../../../src/tools/move/explain-unmoved.ts'
import { expectGolden } from '../../golden.ts'

/** A cassette or a test: its file, its title, and its first prompt. */
function lone(file: string, title: string, asks: string): Lone {
  const path = `${file}/${title.replaceAll(' ', '-')}-0123456789.json`
  return { path, shown: `__recordings__/${path}`, title: `${file} > ${title}`, asks }
}

test('a test that was renamed while its prompt was edited is named as a likely pair', async () => {
  const orphan = lone('a.test.ts', 'asks once', 'old')
  const asking = lone('a.test.ts', 'asks one time', 'new')
  const text = explainUnmoved([orphan], [asking])
  expect(text).toContain(`\n  npx vitest-cassette move ${orphan.shown} ${asking.shown}\n`)
  await expectGolden(text, 'likely-pair')
})

const CASES: Array<[why: string, orphans: Lone[], asking: Lone[], command: string | undefined]> = [
  ['all are there', [], [], undefined],
  ['cassettes alone', [lone('a.test.ts', 'a', '1')], [], 'prune'],
  ['tests alone', [], [lone('a.test.ts', 'a', '1')], 'record --missing'],
  [
    'several that begin alike',
    [lone('a.test.ts', 'a', '1'), lone('a.test.ts', 'b', '1')],
    [lone('c.test.ts', 'other', '1')],
    'move <cassette>',
  ],
  [
    'nothing alike',
    [lone('a.test.ts', 'asks once', '1')],
    [lone('b.test.ts', 'refunds an order', '2')],
    'move <cassette>',
  ],
]

test.for(CASES)('why nothing was moved: %s', ([, orphans, asking, command]) => {
  const commands = explainUnmoved(orphans, asking).match(/npx vitest-cassette .*/g) ?? []
  expect(commands).toEqual(
    command === undefined
      ? []
      : [expect.toSatisfy((one: string) => one.startsWith(`npx vitest-cassette ${command}`))],
  )
})

test('a text says why nothing was moved', async () => {
  const texts = CASES.map(([why, orphans, asking]) => `${why}\n${explainUnmoved(orphans, asking)}`)
  await expectGolden(texts.join('\n'), 'unmoved')
})

test('of several in a file, the titles that are most alike are a pair', () => {
  const orphans = [
    lone('a.test.ts', 'refunds an order', '1'),
    lone('a.test.ts', 'looks an order up', '2'),
  ]
  const asking = [
    lone('a.test.ts', 'looks an order up at once', '3'),
    lone('a.test.ts', 'refunds an order in full', '4'),
  ]
  expect(
    likelyPairs(orphans, asking)
      .map(({ orphan, test }) => [orphan.asks, test.asks])
      .sort(),
  ).toEqual([
    ['1', '4'],
    ['2', '3'],
  ])
})
