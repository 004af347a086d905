import { expect, test } from 'vitest'
import { sumUsage, type UsageTotal } from '../../../src/conversation/cost.ts'
import {
  describeEstimate,
  describeProgress,
  type RunEstimate,
} from '../../../src/tools/programs/run-estimate.ts'
import { sumUp } from '../../../src/attempt/spending.ts'
import type { RunLine } from '../../../src/attempt/run-channel.ts'
import { expectGolden } from '../../golden.ts'

const took = (exchanges: number, cost: number): UsageTotal => ({
  ...sumUsage([]),
  exchanges,
  inputTokens: 1_000 * exchanges,
  cost,
})

const ESTIMATES: Array<[what: string, estimate: RunEstimate, figures: string[]]> = [
  [
    'all are recorded',
    { tests: 12, recorded: 12, took: took(41, 0.32) },
    ['12', '41', '41,000', '$0.3200'],
  ],
  [
    'two are new',
    { tests: 12, recorded: 10, took: took(41, 2) },
    ['12', '10', '41', '41,000', '$2.00', '2'],
  ],
  ['none is recorded', { tests: 1, recorded: 0, took: took(0, 0) }, ['1']],
  [
    'no price is known',
    { tests: 1, recorded: 1, took: { ...took(3, 0), unpriced: 3 } },
    ['1', '3', '3,000'],
  ],
]

const figuresIn = (text: string): string[] => text.match(/\$?\d+(?:[,.]\d+)*/g) ?? []

test.each(ESTIMATES)('the estimate has its figures where %s', (_, estimate, figures) => {
  expect(figuresIn(describeEstimate(estimate))).toEqual(figures)
})

test('an estimate says what is known of the last time', async () => {
  const texts = ESTIMATES.map(([what, estimate]) => `${what}\n${describeEstimate(estimate)}`)
  await expectGolden(texts.join('\n\n'), 'estimates')
})

const lines: RunLine[] = [
  { kind: 'ask', key: 'a', cost: 1 },
  { kind: 'answer', key: 'a', took: took(1, 0.5) },
  { kind: 'ask', key: 'b', cost: 1 },
  { kind: 'test', passed: true },
]

test('one line says how far a run is, and what is left of what it took last time', async () => {
  const estimate = { tests: 3, recorded: 3, took: took(5, 2) }
  const line = describeProgress(sumUp(lines), estimate)
  expect(figuresIn(line)).toEqual(['1', '3', '2', '1,000', '$0.5000', '3'])
  await expectGolden(line, 'progress')
})

test('the progress of a run says what was done where nothing is known of last time', async () => {
  const line = describeProgress(sumUp(lines), undefined)
  expect(figuresIn(line)).toEqual(['1', '2', '1,000', '$0.5000'])
  await expectGolden(line, 'progress-without-estimate')
})
