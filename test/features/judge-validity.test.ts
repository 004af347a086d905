import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import type { RecordingFacts, RunStatistics } from '../../src/config/option-values.ts'
import { parseOptions } from '../../src/config/parse-options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { judgeValidity, factsOf } from '../../src/features/judge-validity.ts'
import { exampleCassette } from '../cassette/example-cassette.ts'
import type { ValidityVerdict } from '../../src/engine/recorded.ts'
import { coded, expectGolden } from '../golden.ts'

const NOW = new Date('2026-06-01T12:00:00Z')

const RUNS: RunStatistics = {
  attempts: 7,
  failures: 5,
  failuresInARow: 4,
  lastUsed: '2026-05-31T00:00:00.000Z',
}

/** A cassette recorded so long before now. */
function aged(days: number, more: Partial<Cassette> = {}): Cassette {
  const timestamp = new Date(NOW.getTime() - days * 86_400_000).toISOString()
  return { ...exampleCassette({ messages: ['Hello'] }), timestamp, ...more }
}

function judge(
  cassette: Cassette,
  options: CassetteOptions,
  runs?: RunStatistics,
): ValidityVerdict[] {
  const config = resolveConfig(parseOptions(options), { ci: false, recordInCi: false })
  return judgeValidity(factsOf(cassette, runs), config, NOW)
}

/** The names of those who say no, with their reasons. */
function invalid(...given: Parameters<typeof judge>): string[] {
  const verdicts = judge(...given).filter(({ valid }) => !valid)
  return verdicts.map(({ strategy, reason }) => `${strategy}: ${reason}`)
}

test('without options only the mark is asked', () => {
  expect(judge(aged(5_000), {}, RUNS)).toEqual([
    { strategy: 'mark', valid: true, reason: expect.any(String) },
  ])
})

test('what somebody called invalid is, with their reason', () => {
  const mark = { reason: 'find() is search() now', since: '2026-05-01T10:00:00.000Z' }
  expect(invalid(aged(1, { invalid: mark }), {})).toEqual([
    expect.stringMatching(/^mark: .*2026-05-01: find\(\) is search\(\) now$/),
  ])
})

test('age: up to the limit a recording is valid, after it no more', () => {
  expect(invalid(aged(90), { maxAge: 90 })).toEqual([])
  expect(invalid(aged(90.1), { maxAge: '90 days' })).toEqual([
    expect.stringMatching(/^age: .* 90 .* 2026-03-03.* 90$/),
  ])
})

test('age: the oldest answer counts, a clock that is ahead makes none invalid', () => {
  expect(invalid(aged(1, { oldestAnswer: '2026-01-01T00:00:00.000Z' }), { maxAge: 90 })).toEqual([
    expect.stringMatching(/^age: .* 151 .* 2026-01-01.* 90$/),
  ])
  expect(invalid(aged(-2), { maxAge: 1 })).toEqual([])
})

test('age: written answers do not age, what was recorded beside them does', () => {
  const written = {
    id: 'exchange-2',
    prompt: { text: 'Hi', metadata: {} },
    response: { text: 'Ho' },
  }
  expect(invalid(aged(900, { exchanges: [written] }), { maxAge: 1 })).toEqual([])
  const both = aged(900)
  expect(invalid({ ...both, exchanges: [...both.exchanges, written] }, { maxAge: 1 })).toHaveLength(
    1,
  )
})

test('failures: those in a row count, and nothing where no run is known', () => {
  expect(invalid(aged(1), { maxFailures: 4 }, RUNS)).toEqual([])
  expect(invalid(aged(1), { maxFailures: 3 }, RUNS)).toEqual([
    expect.stringMatching(/^failures: 4 .* 7 .* 3$/),
  ])
  expect(invalid(aged(1), { maxFailures: 0 })).toEqual([])
})

test.for<[retired: string, isRetired: boolean]>([
  ['gpt-4-0314', true],
  ['gpt-4*', true],
  ['*', true],
  ['gpt-4', false],
  ['gpt-4.0314', false],
  ['claude*', false],
])('models: where %s is retired', ([retired, isRetired]) => {
  const cassette = aged(1)
  cassette.exchanges[0]!.prompt.metadata.model = 'gpt-4-0314'
  expect(invalid(cassette, { retiredModels: [retired, 'text-davinci-003'] })).toEqual(
    isRetired ? [expect.stringMatching(/^models: gpt-4-0314 /)] : [],
  )
})

test('a function is asked about the facts, and may name a reason', () => {
  let asked: RecordingFacts | undefined
  const whyInvalid = (facts: RecordingFacts): string | undefined => {
    asked = facts
    return facts.runs ? undefined : 'never used'
  }
  expect(invalid(aged(2), { whyInvalid })).toEqual(['whyInvalid: never used'])
  expect(invalid(aged(2), { whyInvalid }, RUNS)).toEqual([])
  expect(asked).toEqual({
    test: 'a.test.ts > greets',
    recorded: new Date('2026-05-30T12:00:00Z'),
    models: [],
    runs: RUNS,
  })
})

test('each reason says why a recording is valid, or why it is not', async () => {
  const limits = { maxAge: 90, maxFailures: 3, retiredModels: ['gpt-4*'] }
  const mark = { reason: 'find() is search() now', since: '2026-05-01T10:00:00.000Z' }
  const modern = aged(1)
  const old = aged(90.1, { invalid: mark })
  modern.exchanges[0]!.prompt.metadata.model = 'gpt-5'
  old.exchanges[0]!.prompt.metadata.model = 'gpt-4-0314'
  const calm = { ...RUNS, failuresInARow: 0 }
  const verdicts = [...judge(modern, limits, calm), ...judge(old, limits, RUNS)]
  expect(verdicts.map(({ valid }) => valid)).toEqual([
    ...Array.from({ length: 4 }, () => true),
    ...Array.from({ length: 4 }, () => false),
  ])
  const lines = verdicts.map(({ strategy, reason }) => `${strategy}: ${reason}`)
  await expectGolden(lines.join('\n'), 'reasons')
})

test.for<[what: string, whyInvalid: () => unknown, problem: RegExp]>([
  ['throws', () => JSON.parse('{'), /^whyInvalid .*SyntaxError/],
  ['returns a boolean', () => false, /^whyInvalid .*\bboolean\b/],
  ['returns a promise', async () => undefined, /^whyInvalid .*\bobject\b/],
  ['returns no words', () => '', /^whyInvalid .*\bempty\b/],
])('a function that %s is a fault, and neither valid nor invalid', ([, whyInvalid, problem]) => {
  const given = { whyInvalid: whyInvalid as () => string }
  expect(() => judge(aged(1), given)).toThrow(problem)
  expect(() => judge(aged(1), given)).toThrow(coded('invalid-option'))
})

test('all strategies are heard, and one that says no is enough', () => {
  const options = { maxAge: 30, maxFailures: 9, retiredModels: ['x'], whyInvalid: () => undefined }
  expect(judge(aged(40), options, RUNS).map(({ strategy, valid }) => [strategy, valid])).toEqual([
    ['mark', true],
    ['age', false],
    ['failures', true],
    ['models', true],
    ['whyInvalid', true],
  ])
})
