import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CountedAttempt, countPasses, readPasses } from '../../src/features/count-passes.ts'
import { addToStatistics, readStatistics } from '../../src/features/run-statistics.ts'

const FILE = 'node_modules/.cache/vitest-cassette/statistics.json'
const FIRST = '2026-01-01T00:00:00.000Z'
const SECOND = '2026-02-01T00:00:00.000Z'
const NOW = new Date('2026-03-01T00:00:00.000Z')

function openRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'cassette-statistics-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

/** A cassette's attempts; `+` is one that passed, and `x` one that only its invalid recording failed. */
function attempts(signs: string, cassette = 'a.json', recording = FIRST): CountedAttempt[] {
  return [...signs].map((sign) => ({
    cassette,
    recording,
    ...(sign === 'x' ? {} : { passed: sign === '+' }),
  }))
}

test('attempts and failures are counted over runs, and those in a row since the last success', async () => {
  const root = openRoot()
  await addToStatistics(root, [...attempts('-'), ...attempts('+', 'b.json')], NOW)
  await addToStatistics(root, attempts('+-'), NOW)
  await addToStatistics(root, attempts('-'), NOW)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toEqual({
    attempts: 4,
    failures: 3,
    failuresInARow: 2,
    lastUsed: NOW.toISOString(),
  })
  expect(readStatistics(root).runsOf('b.json', FIRST)).toMatchObject({ attempts: 1, failures: 0 })
  expect(readdirSync(dirname(join(root, FILE)))).toEqual(['passes', 'statistics.json'])
})

test('a failure that only an invalid recording is to blame for ends no row, and makes none longer', async () => {
  const root = openRoot()
  await addToStatistics(root, attempts('--xx'), NOW)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toMatchObject({
    attempts: 4,
    failures: 2,
    failuresInARow: 2,
  })
})

test('the last failures are kept with their reasons, and what the last run took for invalid', async () => {
  const root = openRoot()
  const failed = (reason: string): CountedAttempt[] =>
    attempts('-').map((attempt) => ({ ...attempt, reason, invalid: ['age: too old'] }))
  for (const reason of ['one', 'two', 'three', 'x'.repeat(999)])
    await addToStatistics(root, failed(reason), NOW)
  const at = NOW.toISOString()
  const runs = (await addToStatistics(root, [], NOW)).runsOf('a.json', FIRST)
  expect(runs).toMatchObject({ failures: 4, invalid: ['age: too old'] })
  expect(runs!.lastFailures).toEqual([
    { at, reason: 'two' },
    { at, reason: 'three' },
    { at, reason: 'x'.repeat(300) },
  ])
  const later = (await addToStatistics(root, attempts('+'), NOW)).runsOf('a.json', FIRST)
  expect(later!.lastFailures).toHaveLength(3)
  expect(later).not.toHaveProperty('invalid')
  expect(readStatistics(root).runsOf('a.json', FIRST)).toEqual(later)
})

test('another recording of the same test begins anew', async () => {
  const root = openRoot()
  await addToStatistics(root, attempts('---'), NOW)
  expect(readStatistics(root).runsOf('a.json', SECOND)).toBeUndefined()
  await addToStatistics(root, attempts('-', 'a.json', SECOND), NOW)
  expect(readStatistics(root).runsOf('a.json', SECOND)).toMatchObject({ attempts: 1, failures: 1 })
})

test.for<[what: string, text: string]>([
  ['no JSON', '{"version":1,'],
  ['of another version', '{"version":2,"cassettes":{}}'],
  ['of another shape', '{"version":1,"cassettes":{"a.json":{"attempts":-1}}}'],
  ['a list', '[]'],
  ['empty', ''],
])('a file that is %s is none, and the next run replaces it', async ([, text]) => {
  const root = openRoot()
  mkdirSync(dirname(join(root, FILE)), { recursive: true })
  writeFileSync(join(root, FILE), text)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toBeUndefined()
  await addToStatistics(root, attempts('+'), NOW)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toMatchObject({ attempts: 1 })
})

test('passes are counted without the rest, between failures as after them', async () => {
  const root = openRoot()
  await countPasses(root, attempts('+++'), NOW)
  expect(readdirSync(dirname(join(root, FILE)))).toEqual(['passes'])
  expect(readStatistics(root).runsOf('a.json', FIRST)).toEqual({
    attempts: 3,
    failures: 0,
    failuresInARow: 0,
    lastUsed: NOW.toISOString(),
  })
  await addToStatistics(root, attempts('+--'), NOW)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toMatchObject({
    attempts: 6,
    failures: 2,
    failuresInARow: 2,
  })
  const later = new Date('2026-04-01T00:00:00.000Z')
  await countPasses(root, attempts('+'), later)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toEqual({
    attempts: 7,
    failures: 2,
    failuresInARow: 0,
    lastUsed: later.toISOString(),
  })
  expect(readStatistics(root).runsOf('a.json', SECOND)).toBeUndefined()
})

test('the file of passes holds no word of a test', async () => {
  const root = openRoot()
  await countPasses(root, attempts('+', 'sk-proj-secret.json', 'of gsk_secret'), NOW)
  const text = readFileSync(join(dirname(join(root, FILE)), 'passes'), 'utf8')
  expect(text).toMatch(/^[0-9a-f]{16} 1 \d{13}\n$/)
})

test.for([
  ['of another shape', 'a.json 1 1\n'],
  ['empty', ''],
  ['too large', '0123456789abcdef 1 1\n'.repeat(60_000)],
])('a file of passes that is %s is none, and the next run replaces it', async ([, text]) => {
  const root = openRoot()
  const file = join(dirname(join(root, FILE)), 'passes')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text!)
  expect(String(readPasses(root))).toBe('')
  await countPasses(root, attempts('+'), NOW)
  expect(readStatistics(root).runsOf('a.json', FIRST)).toMatchObject({ attempts: 1 })
})

test('a name that objects have by themselves is a name like any other', async () => {
  const root = openRoot()
  await addToStatistics(root, attempts('-', '__proto__'), NOW)
  const fresh = JSON.parse(readFileSync(join(root, FILE), 'utf8')) as { cassettes: object }
  expect(Object.keys(fresh.cassettes)).toEqual(['__proto__'])
  expect(readStatistics(root).runsOf('constructor', FIRST)).toBeUndefined()
})

test('the file does not grow for ever: what was used longest ago goes', async () => {
  const root = openRoot()
  const many = Array.from({ length: 10_000 }, (_, index) => attempts('+', `${index}.json`)).flat()
  await addToStatistics(root, many, NOW)
  await addToStatistics(root, [...attempts('+', '0.json'), ...attempts('+', 'new.json')], NOW)
  const statistics = readStatistics(root)
  expect(statistics.runsOf('0.json', FIRST)).toMatchObject({ attempts: 2 })
  expect(statistics.runsOf('new.json', FIRST)).toBeDefined()
  expect(statistics.runsOf('2.json', FIRST)).toBeDefined()
  expect(statistics.runsOf('1.json', FIRST)).toBeUndefined()
})

test('how the calls of the last pass were replayed is kept, and that of no other attempt', async () => {
  const root = openRoot()
  const [attempt] = attempts('+')
  const calls = { byHash: 5, slow: { 'key-order': 2, 'option:pace+redact': 1 } } as const
  await countPasses(root, [{ ...attempt!, calls }], NOW)
  const passes = () => readPasses(root).of('a.json', FIRST)
  expect(passes()).toEqual({ count: 1, last: NOW.getTime(), calls })
  await countPasses(root, [{ ...attempt!, calls: { byHash: 7, slow: {} } }], NOW)
  expect(passes()).toMatchObject({ count: 2, calls: { byHash: 7, slow: {} } })
  // A recording replays nothing by a hash.
  await countPasses(root, attempts('+'), NOW)
  expect(passes()).toEqual({ count: 3, last: NOW.getTime() })
})
