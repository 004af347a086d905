import { expect, test } from 'vitest'
import { sumUsage, type UsageTotal } from '../../../src/conversation/cost.ts'
import {
  describeEstimate,
  describeProgress,
  type RunEstimate,
} from '../../../src/tools/programs/run-estimate.ts'
import { sumUp } from '../../../src/attempt/spending.ts'
import type { RunLine } from '../../../src/attempt/run-channel.ts'

const took = (exchanges: number, cost: number): UsageTotal => ({
  ...sumUsage([]),
  exchanges,
  inputTokens: 1_000 * exchanges,
  cost,
})

test.each<[RunEstimate, string]>([
  [
    { tests: 12, recorded: 12, took: took(41, 0.32) },
    'Records 12 tests. Last time: 41 calls, 41,000 tokens, $0.3200.',
  ],
  [
    { tests: 12, recorded: 10, took: took(41, 2) },
    'Records 12 tests. Last time 10 of them took 41 calls, 41,000 tokens, $2.00; 2 have no recording.',
  ],
  [
    { tests: 1, recorded: 0, took: took(0, 0) },
    'Records 1 test. The cost is not known: there is no recording yet.',
  ],
  [
    { tests: 1, recorded: 1, took: { ...took(3, 0), unpriced: 3 } },
    'Records 1 test. Last time: 3 calls, 3,000 tokens, an unknown cost.',
  ],
])('%#: %j', (estimate, text) => {
  expect(describeEstimate(estimate)).toBe(text)
})

const lines: RunLine[] = [
  { kind: 'ask', key: 'a', cost: 1 },
  { kind: 'answer', key: 'a', took: took(1, 0.5) },
  { kind: 'ask', key: 'b', cost: 1 },
  { kind: 'test', passed: true },
]

test('one line says how far a run is, and what is left of what it took last time', () => {
  const estimate = { tests: 3, recorded: 3, took: took(5, 2) }
  expect(describeProgress(sumUp(lines), estimate)).toBe(
    '1 of 3 tests, 2 calls, 1,000 tokens, $0.5000, about 3 calls left',
  )
})

test('where nothing is known of last time, it says what was done', () => {
  expect(describeProgress(sumUp(lines), undefined)).toBe('1 test, 2 calls, 1,000 tokens, $0.5000')
})
