import { expect, test } from 'vitest'
import { sumUsage, type UsageTotal } from '../../src/conversation/cost.ts'
import type { RunLine } from '../../src/attempt/run-channel.ts'
import { spentBefore, sumUp } from '../../src/attempt/spending.ts'

const ask = (key: string, cost: number): RunLine => ({ kind: 'ask', key, cost })
const refused = (key: string): RunLine => ({
  kind: 'refused',
  key,
  cassette: `${key}.json`,
})
const answer = (key: string, cost: number, more: Partial<UsageTotal> = {}): RunLine => ({
  kind: 'answer',
  key,
  took: { ...sumUsage([]), exchanges: 1, cost, ...more },
})

test.each<[string, RunLine[], number]>([
  ['nothing', [ask('own', 5)], 0],
  ['a call on its way counts as what it may cost', [ask('a', 3), ask('own', 5)], 3],
  ['an answered call counts as what it took', [ask('a', 3), ask('own', 5), answer('a', 1)], 1],
  ['its last line counts', [ask('a', 3), answer('a', 1), answer('a', 2), ask('own', 5)], 2],
  ['a refused call counts nothing', [ask('a', 3), refused('a'), ask('own', 5)], 0],
  ['calls behind count nothing', [ask('own', 5), ask('b', 3), answer('b', 3)], 0],
  [
    'without tokens it may have cost what was expected',
    [ask('a', 3), answer('a', 0, { unpriced: 1 }), ask('own', 5)],
    3,
  ],
])('before a call: %s', (_, lines, spent) => {
  expect(spentBefore(lines, 'own')).toBe(spent)
})

test('two processes never take the same money, in whatever order they look', () => {
  const lines = [ask('a', 6), ask('b', 6)]
  const fits = ['a', 'b'].filter((key) => spentBefore(lines, key) + 6 <= 10)
  expect(fits).toEqual(['a'])
})

test('a run counts each call once, and none that was not sent', () => {
  const lines = [
    ask('a', 1),
    ask('b', 1),
    answer('a', 1),
    answer('a', 2),
    ask('c', 1),
    refused('c'),
  ]
  expect(sumUp(lines)).toMatchObject({
    calls: 2,
    refused: 1,
    refusedBy: ['c.json'],
    took: { exchanges: 1, cost: 2 },
  })
})
