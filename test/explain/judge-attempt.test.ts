import { expect, test } from 'vitest'
import type { TestIdentity } from '../../src/engine/session-contract.ts'
import { explainMiss } from '../../src/explain/explain.ts'
import { judgeAttempt } from '../../src/explain/judge-attempt.ts'
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
