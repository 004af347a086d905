import { beforeEach, expect, test, vi } from 'vitest'
import type { TestIdentity } from '../../src/engine/session-contract.ts'
import { explainMiss } from './as-reported.ts'
import { judgeAttempt, type Verdict } from './as-reported.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

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
  async (kind) => {
    const advice = judgeAttempt(open(kind), attempt).failure!.details.split('\n\n').at(-1)!
    expect(advice).toMatch(/\bcache\b.*\n.*\n {2}rm __recordings__/)
    await expectGolden(advice, `silent-${kind ?? 'test'}`)
  },
)

test.each(KINDS)('what is said to a program is not about tests: %s', async (kind) => {
  const { code, details } = judgeAttempt(open(kind), attempt).failure!
  expect(code).toBe('unused')
  expect(details).not.toMatch(/^ +test |the test|expect\./im)

  const asking = open(kind)
  for (const text of ['a', 'a']) asking.answer(question(text), { order: 0 })
  const miss = explainMiss(asking, asking.misses[0]!, false).details
  const advice = [details, miss].map((text) => text.split('\n\n').at(-1)!)
  for (const text of advice) expect(text).not.toMatch(/\btest is|the test|expect\./i)
  await expectGolden(advice.join('\n\n'), kind)
})

/** What is said of a test that asked, and got an error while it was recorded. */
function refused(status: number, passed: boolean, options = {}, sentKeys?: string[]): Verdict {
  const session = openExample(recorded([question('a'), 'one']), { mode: 'all', ...options })
  const answer = session.answer(question('a'), { order: 0 })
  if (answer.action === 'record')
    Object.assign(answer.recording, {
      response: { status, headers: {}, body: { kind: 'empty' } },
      ...(sentKeys ? { sentKeys } : {}),
    })
  return judgeAttempt(session, { ...attempt, passed })
}

beforeEach(() => void vi.stubEnv('OPENAI_API_KEY', ''))

test.each([true, false])(
  'a key that a provider refused is named, if the test passed: %s',
  async (passed) => {
    const { failure, save, park } = refused(401, passed, {}, ['MY_OPENAI_KEY', 'OPENAI_API_KEY'])
    expect(failure).toMatchObject({
      code: 'recording-failed',
      refused: 'OPENAI_API_KEY (401)',
    })
    expect(failure!.headline).toMatch(/OPENAI_API_KEY.*401/)
    await expectGolden(failure!.headline, 'refused-key')
    expect(save).toBeUndefined()
    expect(park !== undefined).toBe(passed)
  },
)

test.each<[what: string, sentKeys: string[] | undefined]>([
  ['of a name of its own', ['MY_OPENAI_KEY']],
  ['of no variable', []],
  ['that was not sent', undefined],
])('a variable that nobody has set is never blamed: a key %s', async (what, sentKeys) => {
  const { failure } = refused(401, true, {}, sentKeys)
  expect(failure!.refused).not.toContain(' OPENAI_API_KEY')
  expect(failure!.headline).not.toContain('OPENAI_API_KEY:')
  const advice = failure!.details.split('\n\n').at(-1)!
  await expectGolden(`${failure!.headline}\n\n${advice}`, `key-${what.replaceAll(' ', '-')}`)
})

test('an error that a failed test got is named too, but not where it is recorded', async () => {
  const failures = [refused(503, false), refused(400, false), refused(400, true)].map(
    ({ failure }) => failure!,
  )
  expect(failures.map(({ headline }) => /\d+/.exec(headline)![0])).toEqual(['503', '400', '400'])
  for (const { code } of failures) expect(code).toBe('recording-failed')
  await expectGolden(failures.map(({ headline }) => headline).join('\n\n'), 'provider-errors')
  expect(refused(503, false, { recordErrors: true }).failure).toBeUndefined()
})

test('who records without a key is not told to remove the cassette', async () => {
  const silent = (mode: 'all' | 'replay'): string =>
    judgeAttempt(openExample(recorded([question('a'), 'one']), { mode }), attempt).failure!.details
  expect(silent('all')).toContain('set OPENAI_API_KEY')
  expect(silent('all')).not.toContain('rm ')
  await expectGolden(silent('all').split('\n\n').at(-1)!, 'no-key')
  expect(silent('replay')).toContain('rm __recordings__')
  vi.stubEnv('OPENAI_API_KEY', 'sk-a')
  expect(silent('all')).toContain('rm __recordings__')
})
