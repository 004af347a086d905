import { expect, test } from 'vitest'
import { explainUnmoved, likelyPairs, type Lone } from '../../../src/tools/move/explain-unmoved.ts'

/** A cassette or a test: its file, its title, and its first prompt. */
function lone(file: string, title: string, asks: string): Lone {
  const path = `${file}/${title.replaceAll(' ', '-')}-0123456789.json`
  return { path, shown: `__recordings__/${path}`, title: `${file} > ${title}`, asks }
}

test('a test that was renamed while its prompt was edited is named as a likely pair', () => {
  const orphan = lone('a.test.ts', 'asks once', 'old')
  const asking = lone('a.test.ts', 'asks one time', 'new')
  expect(explainUnmoved([orphan], [asking])).toBe(`1 cassette has no test:
  a.test.ts > asks once
    __recordings__/a.test.ts/asks-once-0123456789.json
1 test has no cassette:
  a.test.ts > asks one time
    __recordings__/a.test.ts/asks-one-time-0123456789.json
None of these tests begins with the first prompt of one of these cassettes, so none was moved.
By their names, this may be a test that was renamed while the prompt was edited. To keep the recording:
  npx vitest-cassette move __recordings__/a.test.ts/asks-once-0123456789.json __recordings__/a.test.ts/asks-one-time-0123456789.json
Then the tests show what of the prompt changed.
`)
})

test.for<[why: string, orphans: Lone[], asking: Lone[], says: string]>([
  [
    'all are there',
    [],
    [],
    'Every cassette has a test, and every test that asks a model has its cassette.',
  ],
  [
    'cassettes alone',
    [lone('a.test.ts', 'a', '1')],
    [],
    'To delete them: npx vitest-cassette prune',
  ],
  [
    'tests alone',
    [],
    [lone('a.test.ts', 'a', '1')],
    'To record them: npx vitest-cassette record --missing',
  ],
  [
    'several that begin alike',
    [lone('a.test.ts', 'a', '1'), lone('a.test.ts', 'b', '1')],
    [lone('c.test.ts', 'other', '1')],
    'Several of them begin with the same prompt, so it is not sure which belong together.',
  ],
  [
    'nothing alike',
    [lone('a.test.ts', 'asks once', '1')],
    [lone('b.test.ts', 'refunds an order', '2')],
    'To move one: npx vitest-cassette move <cassette> <where its test looks>',
  ],
])('why nothing was moved: %s', ([, orphans, asking, says]) => {
  expect(explainUnmoved(orphans, asking)).toContain(says)
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
