import { beforeEach, expect, test, vi } from 'vitest'
import type { TestIdentity } from '../../src/engine/session-contract.ts'
import { explainMiss } from '../../src/explain/explain-miss.ts'
import { judgeAttempt, type Verdict } from '../../src/explain/judge-attempt.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

const KINDS = ['openCassette', 'command'] as const

const attempt = { passed: true, now: new Date(0), color: false }

function open(optionsOf?: TestIdentity['optionsOf']): ReturnType<typeof openExample> {
  const session = openExample(recorded([question('a'), 'one']))
  if (optionsOf) Object.assign(session.test, { optionsOf })
  return session
}

test('a test that asked nothing is told to wait for its application', () => {
  expect(judgeAttempt(open(), attempt).failure!.details).toContain(
    'await expect.poll(() => cassette',
  )
})

test.each([undefined, 'runner'] as const)(
  'before it is told to delete a cassette, a test hears that a cache may have answered: %s',
  (kind) => {
    expect(judgeAttempt(open(kind), attempt).failure!.details).toMatch(
      /If a cache of its application answered, as that of Next keeps answers between runs, turn it off in tests\.\n[^]*delete the cassette/,
    )
  },
)

test.each(KINDS)('what is said to a program is not about tests: %s', (kind) => {
  const { details } = judgeAttempt(open(kind), attempt).failure!
  expect(details).toContain('The program asked no model')
  expect(details).not.toMatch(/^ +test |the test|expect\./im)

  const asking = open(kind)
  for (const text of ['a', 'a']) asking.answer(question(text), { order: 0 })
  const miss = explainMiss(asking, asking.misses[0]!, false).details
  expect(miss).toContain('If the program may ask once more, record it again')
})

/** What is said of a test that asked, and got an error while it was recorded. */
function refused(status: number, passed: boolean, options = {}): Verdict {
  const session = openExample(recorded([question('a'), 'one']), { mode: 'all', ...options })
  const answer = session.answer(question('a'), { order: 0 })
  if (answer.action === 'record')
    answer.recording.response = { status, headers: {}, body: { kind: 'empty' } }
  return judgeAttempt(session, { ...attempt, passed })
}

beforeEach(() => void vi.stubEnv('OPENAI_API_KEY', ''))

test.each([true, false])(
  'a key that the provider refused is named, if the test passed: %s',
  (passed) => {
    const { failure, save, park } = refused(401, passed)
    expect(failure).toMatchObject({
      headline:
        'The provider refused OPENAI_API_KEY: it answered 401, which is not saved as its last word',
      refused: 'OPENAI_API_KEY (401)',
    })
    expect(save).toBeUndefined()
    expect(park !== undefined).toBe(passed)
  },
)

test('an error that a failed test got is named too, but not where it is recorded', () => {
  expect(refused(503, false).failure!.headline).toContain('The provider answered 503')
  expect(refused(400, false).failure!.headline).toBe('The provider answered 400')
  expect(refused(400, true).failure!.headline).toContain('not saved in the place of a good answer')
  expect(refused(503, false, { recordErrors: true }).failure).toBeUndefined()
})

test('who records without a key is not told to delete the cassette', () => {
  const silent = (mode: 'all' | 'replay'): string =>
    judgeAttempt(openExample(recorded([question('a'), 'one']), { mode }), attempt).failure!.details
  expect(silent('all')).toContain('no key is set here')
  expect(silent('all')).toContain('set OPENAI_API_KEY')
  expect(silent('all')).not.toContain('rm ')
  expect(silent('replay')).toContain('rm __recordings__')
  vi.stubEnv('OPENAI_API_KEY', 'sk-a')
  expect(silent('all')).toContain('rm __recordings__')
})
