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
  return { title: `a.test.ts > ${title}`, meta: { cassette } }
}

function read(line: string): { tests: object[]; commands: Record<string, string> } {
  expect(line).toMatch(/^\[vitest-cassette\] \{.*\}$/)
  return JSON.parse(line.slice(line.indexOf('{')))
}

test('the line names each test that missed, and the commands', () => {
  const { tests, commands } = read(lineForPrograms([missed('one', {})], ['a.test.ts']))
  expect(tests).toEqual([
    {
      test: 'a.test.ts > one',
      cassette: '__recordings__/a.test.ts/a-0123456789.json',
      misses: 1,
      unused: 0,
      kind: 'changed',
      headline: 'The prompt changed',
      keeps: true,
    },
  ])
  expect(commands).toEqual({
    keep: 'RECORD=prompts npx vitest run a.test.ts',
    record: 'npx vitest-cassette record --changed a.test.ts',
    show: 'npx vitest-cassette diff --json',
  })
})

test.for<[kind: string, cause: Partial<Cause> | undefined]>([
  ['unrecorded', { key: 'unrecorded', keeps: false }],
  ['unrecorded', { key: 'renamed', keeps: false }],
  ['invalid', { key: 'invalid age', keeps: false }],
  ['error', { key: 'error x', keeps: false }],
  ['other', undefined],
])('%s: no answer is kept', ([kind, cause]) => {
  const { tests, commands } = read(lineForPrograms([missed('one', cause)], []))
  expect(tests).toMatchObject([{ kind }])
  expect(commands).not.toHaveProperty('keep')
  expect(commands.record).toContain(kind === 'unrecorded' ? '--missing' : '--changed')
})

test('nothing in it is obeyed by a terminal or a CI runner, and it holds no key', () => {
  vi.stubEnv('OPENAI_API_KEY', 'zK4qLm8vT1yRw0Xc6')
  const line = lineForPrograms([missed('##[error]\u202e\n zK4qLm8vT1yRw0Xc6', {})], [])
  vi.unstubAllEnvs()
  expect(line).not.toMatch(/##|\u202e|\n|zK4q/)
  expect(read(line).tests).toMatchObject([
    { test: 'a.test.ts > ##[error]\u202e\n <REDACTED:OPENAI_API_KEY>' },
  ])
})
