import pc from 'picocolors'
import { expect, test } from 'vitest'
import type { RunLine, TestCassetteLine } from '../../../src/attempt/run-channel.ts'
import type { ImportVerdict } from '../../../src/explain/explain-imported.ts'
import { expectGolden } from '../../golden.ts'
import { judgeImported, summarize, writeVerdict } from '../../../src/tools/import/verdict.ts'

const names = ['greets', 'lists', 'asks', 'counts', 'sums', 'skips', 'fails']
const TESTS = names.map((name) => ({ test: `a.test.ts > ${name}`, cassette: `${name}.json` }))

const ran = (name: string, passed: boolean, error?: string): RunLine => ({
  kind: 'test',
  passed,
  cassette: { path: `${name}.json` } as TestCassetteLine,
  ...(error === undefined ? {} : { error }),
})

const failed = (
  name: string,
  outcome: ImportVerdict['outcome'],
  more: Partial<ImportVerdict> = {},
): RunLine => ({
  kind: 'imported',
  verdict: {
    test: `a.test.ts > ${name}`,
    cassette: `${name}.json`,
    outcome,
    headline: outcome,
    ...more,
  },
})

const DIFF = '  message 1 · user\n    - Hello\n    + Hallo'

const LINES: RunLine[] = [
  // Its first attempt failed.
  ran('greets', false),
  ran('greets', true),
  failed('lists', 'differs', { headline: 'The prompt changed', diff: DIFF }),
  ran('lists', false),
  failed('asks', 'differs', { headline: 'The prompt changed', diff: DIFF }),
  ran('asks', false),
  failed('counts', 'unused'),
  ran('counts', false),
  failed('sums', 'unasked'),
  ran('sums', false),
  ran('fails', false, 'AssertionError: expected 1 to be 2'),
]

const VERDICTS = judgeImported(TESTS, LINES)

test('each test has one outcome, and of several attempts the last counts', () => {
  expect(VERDICTS.map(({ outcome }) => outcome)).toEqual([
    'pass',
    'differs',
    'differs',
    'unused',
    'unasked',
    'idle',
    'failed',
  ])
})

test('one sentence tells how many pass, and the blind spot of the old tool', async () => {
  const figures = (text: string): string[] => text.match(/\d+/g) ?? []
  // Of all tests one passes, two differ, and there is one with each other outcome.
  expect(figures(summarize(VERDICTS))).toEqual(['1', '7', '2', '1', '1', '1', '1'])
  const one = summarize(VERDICTS.slice(0, 1))
  expect(figures(one)).toEqual(['1', '1'])
  await expectGolden(one, 'summary-of-one')
})

test('equal diffs stand there once, each group with the command that settles it', async () => {
  let out = ''
  writeVerdict(VERDICTS, { colors: pc.createColors(false), write: (text) => void (out += text) })
  expect(out.split('+ Hallo')).toHaveLength(2)
  expect(out).toMatch(/a\.test\.ts > lists\n +a\.test\.ts > asks\n +The prompt changed\n/)
  expect(out).toContain('npx vitest-cassette record --prompts a.test.ts')
  expect(out).toContain('npx vitest-cassette record --new a.test.ts')
  // In this mode no key is lent.
  expect(out).toContain('AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none')
  expect(out).toContain('AssertionError: expected 1 to be 2')
  await expectGolden(out, 'verdict')
})
