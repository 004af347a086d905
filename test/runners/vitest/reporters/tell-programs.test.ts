import { expect, test, vi } from 'vitest'
import type { CassetteMeta } from '../../../../src/attempt/count-requests.ts'
import { sumUsage } from '../../../../src/conversation/cost.ts'
import type { Cause } from '../../../../src/explain/cause.ts'
import { lineForPrograms } from '../../../../src/runners/vitest/reporters/tell-programs.ts'

function missed(title: string, cause?: Partial<Cause>) {
  const whole = cause && {
    key: 'a',
    headline: 'The prompt changed',
    advice: '',
    keeps: true,
    took: sumUsage([]),
    ...cause,
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
    ...(whole ? { cause: whole } : {}),
  }
  return { title: `a.test.ts > ${title}`, meta: { cassette }, errors: [] }
}

const skill = 'SKILL.md'

function read(line: string): { tests: object[]; commands: Record<string, string> } {
  expect(line).toMatch(/^\[vitest-cassette\] \{.*\}$/)
  return JSON.parse(line.slice(line.indexOf('{')))
}

test('the line names each test that missed, and the commands', () => {
  const { tests, commands } = read(
    lineForPrograms([missed('one', {})], { words: ['a.test.ts', '-t', 'one'], skill }),
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
    },
  ])
  expect(commands).toEqual({
    keep: 'npx vitest-cassette record --prompts a.test.ts -t one',
    record: 'npx vitest-cassette record --changed a.test.ts -t one',
    show: 'npx vitest-cassette show --json __recordings__/a.test.ts/a-0123456789.json',
    review: 'npx vitest-cassette diff --json',
  })
})

test.for<[kind: string, cause: Partial<Cause> | undefined]>([
  ['unrecorded', { key: 'unrecorded', keeps: false }],
  ['unrecorded', { key: 'renamed', keeps: false }],
  ['invalid', { key: 'invalid age', keeps: false }],
  ['error', { key: 'error x', keeps: false }],
  ['other', undefined],
])('%s: no answer is kept', ([kind, cause]) => {
  const { tests, commands } = read(lineForPrograms([missed('one', cause)], { words: [], skill }))
  expect(tests).toMatchObject([{ kind }])
  expect(commands).not.toHaveProperty('keep')
  expect(commands.record).toContain(kind === 'unrecorded' ? '--missing' : '--changed')
})

test('nothing in it is obeyed by a terminal or a CI runner, and it holds no key', () => {
  vi.stubEnv('OPENAI_API_KEY', 'zK4qLm8vT1yRw0Xc6')
  const line = lineForPrograms([missed('##[error]\u202e\n zK4qLm8vT1yRw0Xc6', {})], {
    words: [],
    skill,
  })
  vi.unstubAllEnvs()
  expect(line).not.toMatch(/##|\u202e|\n|zK4q/)
  expect(read(line).tests).toMatchObject([
    { test: 'a.test.ts > ##[error]\u202e\n <REDACTED:OPENAI_API_KEY>' },
  ])
})

test('a limit of the run is that of its commands, and a miss is told with what differs', () => {
  const one = missed('one', {})
  const request = {
    url: 'https://api.openai.com/v1/chat/completions',
    askedBy: 'python3 worker.py cats',
    exchange: 'exchange-1',
    changes: [{ place: 'message 1 user', before: 'Hello', after: 'Bye' }],
  }
  one.meta.cassette.missed = [request]
  const line = read(lineForPrograms([one], { words: [], skill, maxCost: 2 }))
  expect(line.commands.record).toBe('npx vitest-cassette record --changed --max-cost 2')
  expect(line).toMatchObject({ skill, tests: [{ missed: [request] }] })
})

test('other failures have their code, those of no test too, and no command that records', () => {
  const { meta, title } = missed('less')
  const less = { ...meta.cassette, misses: 0, unused: 2 }
  const errors = [{ name: 'CassetteError', code: 'unused', message: 'Not asked for: 2\nmore' }]
  const late = { code: 'outside-test', message: '1 request was sent\nmore' }
  const line = lineForPrograms([{ title, meta: { cassette: less }, errors }], {
    words: ['a.test.ts'],
    errors: [late],
    skill,
  })
  expect(read(line)).toMatchObject({
    event: 'failures',
    tests: [
      { code: 'unused', headline: 'Not asked for: 2', unused: 2 },
      { code: 'outside-test', headline: '1 request was sent' },
    ],
  })
  expect(read(line).commands).toEqual({
    drop: 'npx vitest-cassette record --new a.test.ts',
    review: 'npx vitest-cassette diff --json',
  })
})
