import { expect, test, vi } from 'vitest'
import type { CassetteMeta } from '../../../../src/attempt/count-requests.ts'
import { sumUsage } from '../../../../src/conversation/cost.ts'
import type { Cause, FailureInRun } from '../../../../src/explain/failure.ts'
import {
  lineOf,
  reportForPrograms,
} from '../../../../src/runners/vitest/reporters/tell-programs.ts'

function missed(title: string, cause?: Partial<Cause>) {
  const failure: FailureInRun | undefined = cause && {
    kind: 'changed',
    code: 'miss',
    headline: 'The prompt changed',
    adviceAt: 0,
    cause: { group: 'changed', key: 'a', keeps: true, took: sumUsage([]), ...cause },
  }
  const cassette: CassetteMeta = {
    replayed: 0,
    recorded: 0,
    misses: 1,
    unused: 0,
    kept: 0,
    handOvers: [],
    saved: [],
    cassette: '__recordings__/a.test.ts/a-0123456789.json',
    invalid: [],
    ...(failure ? { failure } : {}),
  }
  return { title: `a.test.ts > ${title}`, meta: { cassette }, errors: [] }
}

const skill = 'SKILL.md'

const inFile = { file: 'a.test.ts' }

test('the report names each test that missed, and the commands', () => {
  const { tests, commands } = reportForPrograms(
    [{ ...missed('one', {}), ...inFile, name: 'one' }],
    {
      names: ['-t', 'one'],
      skill,
    },
  )
  expect(tests).toEqual([
    {
      test: 'a.test.ts > one',
      code: 'miss',
      cassette: '__recordings__/a.test.ts/a-0123456789.json',
      misses: 1,
      unused: 0,
      kind: 'changed',
      headline: 'The prompt changed',
      keeps: true,
      commands: {
        keep: "npx vitest-cassette record --prompts a.test.ts -t '^one$'",
        record: "npx vitest-cassette record a.test.ts -t '^one$'",
      },
    },
  ])
  expect(commands).toEqual({
    keep: 'npx vitest-cassette record --prompts a.test.ts -t one',
    record: 'npx vitest-cassette record --changed a.test.ts -t one',
    show: 'npx vitest-cassette show --json __recordings__/a.test.ts/a-0123456789.json',
    review: 'npx vitest-cassette diff --json',
  })
})

test.for<[kind: string, cause: Partial<Cause> | undefined, command?: string]>([
  ['unrecorded', { group: 'unrecorded', keeps: false }, 'missing'],
  ['invalid', { group: 'invalid', keeps: false }, 'renew'],
  ['misplaced', { group: 'misplaced', keeps: false }],
  ['error', { group: 'error', keeps: false }],
  ['other', undefined, 'record'],
])('%s: no answer is kept, and the kind has its own command', ([kind, cause, command]) => {
  const { tests, commands } = reportForPrograms([{ ...missed('one', cause), ...inFile }], { skill })
  expect(tests).toMatchObject([{ kind }])
  const own = Object.keys(commands).filter((name) => !['show', 'review'].includes(name))
  expect(own).toEqual(command === undefined ? [] : [command])
})

test('a command for new tests takes in no changed prompt, and the reverse', () => {
  const fresh = missed('new', { group: 'unrecorded', keeps: false })
  const { tests, commands } = reportForPrograms(
    [
      { ...missed('old', {}), ...inFile, name: 'suite > old' },
      { ...fresh, title: 'b.test.ts > new', file: 'b.test.ts', name: 'new', project: 'web' },
    ],
    { skill },
  )
  expect(commands).toMatchObject({
    keep: 'npx vitest-cassette record --prompts a.test.ts',
    record: 'npx vitest-cassette record --changed a.test.ts',
    missing: 'npx vitest-cassette record --missing b.test.ts',
  })
  expect(tests).toMatchObject([
    { commands: { record: "npx vitest-cassette record a.test.ts -t '^suite( >)? old$'" } },
    {
      project: 'web',
      commands: { missing: "npx vitest-cassette record b.test.ts --project web -t '^new$'" },
    },
  ])
})

test('what a limit refused is not advised again', () => {
  const errors = [
    { name: 'CassetteError', code: 'recording-refused', message: 'A call was not sent' },
  ]
  const refused = { ...missed('one', { group: 'error', keeps: false }), ...inFile, errors }
  const uncaused = { ...missed('two'), ...inFile, errors }
  const { tests, commands } = reportForPrograms([refused, uncaused], { skill, maxCost: 1 })
  expect(JSON.stringify([tests, commands])).not.toContain('cassette record')
})

test.each(['refused', 'speaker', 'secret'] as const)(
  'what recording does not settle has no recording command: %s',
  (code) => {
    const errors = [{ name: 'CassetteError', code, message: 'It was not sent' }]
    const { tests, commands } = reportForPrograms([{ ...missed('one'), ...inFile, errors }], {
      skill,
    })
    expect(JSON.stringify([tests, commands])).not.toContain('cassette record')
  },
)

test('a run of which nothing is kept has no commands', () => {
  const one = { ...missed('one', { group: 'unrecorded', keeps: false }), ...inFile, name: 'one' }
  const { tests, commands } = reportForPrograms([one], { skill, discards: true })
  expect(commands).toEqual({})
  expect(tests[0]).not.toHaveProperty('commands')
})

test('answers that a killed run has paid for come first', () => {
  const one = { ...missed('one', { group: 'unrecorded', keeps: false }), ...inFile, name: 'one' }
  const { tests, commands } = reportForPrograms([one], {
    skill,
    paidFor: new Set(['a.test.ts > one']),
  })
  const recover = 'npx vitest-cassette recover --yes'
  expect(Object.entries(commands)[0]).toEqual(['recover', recover])
  expect(Object.entries(tests[0]!.commands!)[0]).toEqual(['recover', recover])
})

test('nothing in it is obeyed by a terminal or a CI runner, and it holds no key', () => {
  vi.stubEnv('OPENAI_API_KEY', 'zK4qLm8vT1yRw0Xc6')
  const one = { ...missed('##[error]\u202e\n zK4qLm8vT1yRw0Xc6', {}), ...inFile }
  const line = lineOf(reportForPrograms([one], { skill }))
  vi.unstubAllEnvs()
  expect(line).not.toMatch(/##|\u202e|\n|zK4q/)
  expect(line).toMatch(/^\[vitest-cassette\] \{.*\}$/)
  expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
    tests: [{ test: 'a.test.ts > ##[error]\u202e\n <REDACTED:OPENAI_API_KEY>' }],
  })
})

test('a limit of the run is that of its commands, and a miss is told with what differs', () => {
  const one = { ...missed('one', {}), ...inFile }
  const request = {
    url: 'https://api.openai.com/v1/chat/completions',
    askedBy: 'python3 worker.py cats',
    exchange: 'exchange-1',
    changes: [{ place: 'message 1 user', before: 'Hello', after: 'Bye' }],
  }
  one.meta.cassette.missed = [request]
  const report = reportForPrograms([one], { skill, maxCost: 2 })
  expect(report.commands.record).toBe('npx vitest-cassette record --changed --max-cost 2 a.test.ts')
  expect(report).toMatchObject({ skill, tests: [{ missed: [request] }] })
})

const less = () => {
  const { meta, title } = missed('less')
  const errors = [{ name: 'CassetteError', code: 'unused', message: 'Not asked for: 2\nmore' }]
  return {
    ...inFile,
    title,
    meta: { cassette: { ...meta.cassette, misses: 0, unused: 2 } },
    errors,
  }
}

test('exchanges are dropped if their test alone failed', () => {
  const { event, tests, commands } = reportForPrograms([less()], { skill })
  expect(event).toBe('failures')
  expect(tests).toMatchObject([{ code: 'unused', headline: 'Not asked for: 2', unused: 2 }])
  expect(commands).toEqual({
    drop: 'npx vitest-cassette record --new a.test.ts',
    review: 'npx vitest-cassette diff --json',
  })
})

test('exchanges are not dropped where another test failed, or a request came late', () => {
  const late = { code: 'outside-test', message: '1 request was sent\nmore' }
  const report = reportForPrograms([less()], { skill, errors: [late] })
  expect(report.tests).toMatchObject([
    { code: 'unused' },
    { code: 'outside-test', headline: '1 request was sent' },
  ])
  const more = reportForPrograms([less()], { skill, othersFail: true })
  const crashed = { ...less(), errors: [...less().errors, { name: 'Error', message: 'crash' }] }
  const missedToo = [less(), { ...missed('one', {}), ...inFile }]
  for (const { commands, tests } of [
    report,
    more,
    reportForPrograms([crashed], { skill }),
    reportForPrograms(missedToo, { skill }),
  ])
    expect(JSON.stringify([commands, tests])).not.toContain('"drop"')
})
