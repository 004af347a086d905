import { expect, test } from 'vitest'
import { cpuSeconds } from '../../bench/cpu-seconds.ts'
import type { Measured } from '../../bench/workloads.ts'
import { CONTESTANTS, OF_SUITES, printTables, tables, writeTables } from '../../bench/table.ts'

const README = [
  'Before.',
  '<!-- bench -->',
  '',
  '| workload | floor | vitest-cassette | msw | gate | goal |',
  '| --- | --: | --: | --: | --: | --: |',
  '| two such conversations by turns, per turn | 0.070 ms | 2.00 | 30.00 | ≤ 9 | ≤ 9 |',
  '| a row that there is no longer | 0.070 ms | 2.00 | 30.00 | ≤ 9 | ≤ 9 |',
  '',
  'Ratios to the floor; medians over 7 or more interleaved rounds.',
  'An older machine.',
  '',
  '<!-- /bench -->',
  'Between.',
  '<!-- suites -->',
  '<!-- /suites -->',
  '',
].join('\n')

const rounds = (...times: number[]): { times: number[] }[] =>
  times.map((time) => ({ times: [time] }))

test('a run of some rows and contestants keeps the others of the table, and says so', () => {
  const results = {
    call: { floor: rounds(2, 4, 2), 'vitest-cassette': rounds(3, 8, 2), against: rounds(3, 4, 4) },
  }
  const names = ['floor', 'vitest-cassette', 'against']
  expect(writeTables(README, results, names, 'This machine.').split('\n')).toEqual([
    'Before.',
    '<!-- bench -->',
    '',
    '| workload | floor | vitest-cassette | msw | gate | goal |',
    '| --- | --: | --: | --: | --: | --: |',
    '| replayed call, 2 KB prompt, fetch | 2.00 ms | 1.50 | – | ≤ 1.5 | ≤ 1.3 |',
    '| two such conversations by turns, per turn | 0.070 ms | 2.00 | 30.00 | ≤ 9 | ≤ 9 |',
    '',
    'Ratios to the floor; medians over 3 or more interleaved rounds.',
    'A tool that gave a wrong answer has no figure. ¹ Right, but several events arrived as one chunk.',
    'The last run measured some of the rows and columns; the others are from earlier runs.',
    'This machine.',
    '',
    '<!-- /bench -->',
    'Between.',
    '<!-- suites -->',
    '<!-- /suites -->',
    '',
  ])
})

test('a table that is written again stays what it is', () => {
  const results = { flight: { floor: rounds(1), msw: rounds(5) } }
  const once = writeTables(README, results, ['floor', 'msw'], 'This machine.')
  expect(writeTables(once, results, ['floor', 'msw'], 'This machine.')).toBe(once)
})

test('a run of everything says nothing of earlier runs', () => {
  const [bench] = tables
  const all = Object.fromEntries(CONTESTANTS.map((name) => [name, [measured(1, 1, 1)]]))
  const results = Object.fromEntries(Object.keys(bench!.lines).map((row) => [row, all]))
  const text = writeTables(README, results, CONTESTANTS, 'This machine.')
  expect(text).toContain('medians over 1 or more')
  expect(text).not.toContain('earlier runs')
  expect(text).not.toMatch(/NaN|undefined/)
})

test('another build stands beside this one, with what this is to it', () => {
  const results = {
    call: { floor: rounds(2, 2), 'vitest-cassette': rounds(3, 3), against: rounds(6, 2) },
    recorded: {
      floor: [measured(20, 0, 1)],
      'vitest-cassette': [measured(40, 30, 1)],
      against: [measured(80, 60, 1)],
    },
  }
  expect(printTables(results, ['floor', 'vitest-cassette', 'against'])).toBe(
    [
      '| workload | floor | vitest-cassette | against | gate | goal | ÷ against |',
      '| --- | --: | --: | --: | --: | --: | --: |',
      '| replayed call, 2 KB prompt, fetch | 2.00 ms | 1.50 | 2.00 | ≤ 1.5 | ≤ 1.3 | 1.00 |',
      '| recording 200 calls, with load and closing | 20 ms | 2.00 | 4.00 | ≤ 1.5 | ≤ 1.25 | 0.50 |',
      '| closing a recording of 200 calls | 0.000 ms | 30 ms | 60 ms | ≤ 50 ms | ≤ 20 ms | 0.50 |',
      '| CPU seconds of the thread that records 200 calls | 2.00 s | 2.00 | 4.00 | – | ≤ 1.5 | 0.50 |',
    ].join('\n'),
  )
})

test('one measurement fills the lines of its time, its closing, its memory and its CPU seconds', () => {
  const floor = [measured(200, 0, 100)]
  const ours = [measured(300, 80, 150)]
  const results = {
    recorded: { floor, 'vitest-cassette': ours, limit: [{ times: [], wrong: 'records nothing' }] },
    thousandth: { floor, limit: [measured(400, 0, 100)], 'vitest-cassette': ours },
    large: { floor, 'vitest-cassette': ours },
    'vitest-idle': { floor, 'vitest-cassette': ours },
    'suite-400-threads-calls': { floor, 'vitest-cassette': ours },
  }
  expect(printTables(results, ['floor', 'limit', 'vitest-cassette'])).toBe(
    [
      '| workload | floor | limit | vitest-cassette | gate | goal |',
      '| --- | --: | --: | --: | --: | --: |',
      '| recording 200 calls, with load and closing | 200 ms | *records nothing* | 1.50 | ≤ 1.5 | ≤ 1.25 |',
      '| closing a recording of 200 calls | 0.000 ms | *records nothing* | 80 ms | ≤ 50 ms | ≤ 20 ms |',
      '| CPU seconds of the thread that records 200 calls | 20 s | *records nothing* | 1.50 | – | ≤ 1.5 |',
      '| the 1,000th call, against the limit | 200 ms | 1.00 | 0.75 | ≤ 1.15 | ≤ 1.05 |',
      '| one cassette of 25 MB, load and first call | 200 ms | – | 1.50 | ≤ 0.4 | ≤ 0.25 |',
      '| peak memory with a cassette of 25 MB | 100 MB | – | 1.50 | – | ≤ 1.3 |',
      '| `vitest run` where no test calls a model, against Vitest alone | 200 ms | – | 1.50 | – | ≤ 0.95 |',
      '| CPU seconds of `vitest run` without calls | 20 s | – | 1.50 | – | ≤ 0.95 |',
      '| CPU of a file without calls, more than with Vitest alone | 2000 ms | – | +1000 ms | ≤ 6 ms | ≤ 0 ms |',
      '',
      '| workload | floor | vitest-cassette | gate | goal |',
      '| --- | --: | --: | --: | --: |',
      '| 400 files, `threads`, a call in each test | 20 s | 1.50 | – | ≤ 1.03 |',
    ].join('\n'),
  )
})

test('no two lines of a table share a title, since rows are found by it', () => {
  for (const { lines, columns } of tables) {
    const titles = Object.values(lines).flatMap((some) => some.map(({ title }) => title))
    expect(new Set(titles).size).toBe(titles.length)
    expect([CONTESTANTS, OF_SUITES]).toContain(columns)
  }
})

test('the CPU seconds are those of the children of the shell', () => {
  expect(cpuSeconds('0m0.010s 0m0.020s\n2m1.500s 0m3.250s\n')).toBe(124.75)
})

function measured(time: number, closing: number, peak: number): Measured {
  const kinds = { plain: 1, volatile: 2, parameter: 2, sealed: 1, edited: 2, verify: 1 }
  return { times: [time, time, time, time], closing, peak, cpu: time / 10, files: 10, kinds }
}
