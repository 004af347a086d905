import { expect, test } from 'vitest'
import { CassetteError } from '../../src/errors.ts'
import { explainLate } from '../../src/explain/explain-late.ts'
import type { LateRequest } from '../../src/engine/late-requests.ts'
import { expectGolden } from '../golden.ts'
import type { Session } from '../../src/engine/session.ts'
import { openExample, question, recorded } from './example-session.ts'

/** What a session says of the requests that come too late. */
function lateOf(session: Session): LateRequest[] {
  const late: LateRequest[] = []
  session.late.hear = (request) => late.push(request)
  return late
}

test('what was created before the end counts, what was created later does not, whichever arrives first', () => {
  const session = openExample(recorded([question('a'), 'one'], [question('b'), 'two']))
  const late = lateOf(session)
  session.late.end(5)
  expect(session.answer(question('a'), { order: 6 }).action).toBe('refuse')
  expect(session.answer(question('a'), { order: 5 }).action).toBe('replay')
  expect(late.map(({ miss }) => miss!.reason)).toEqual(['closed'])
  session.late.end(-1)
  expect(session.answer(question('b'), { order: 4 }).action).toBe('refuse')
  expect([late.length, session.misses]).toEqual([2, []])
})

test.each(['all', 'new'] as const)('in mode %s it is sent, and counts for no cassette', (mode) => {
  const session = openExample(undefined, { mode })
  const late = lateOf(session)
  session.late.end(-1)
  expect(session.answer(question('a'), { order: 1 }).action).toBe('record')
  expect(late[0]!.recording!.incoming.hash).toBe(question('a').hash)
  expect(session.asked).toEqual([])
})

test('a refusal after the end names its test, and shows what changed', async () => {
  const session = openExample(recorded([question('a'), 'one']))
  const [late] = [lateOf(session)]
  session.late.end(-1)
  session.answer(question('changed'), { order: 1 })
  const { code, headline, details } = explainLate(session, late[0]!, false)
  expect(code).toBe('miss')
  expect(headline).toContain(session.test.id)
  expect(details).toContain('closest   exchange-1')
  expect(details).toMatch(/- a\n +\+ changed/)
  await expectGolden(`${headline}\n\n${details}`, 'late-request')
})

test('a refused connection after the end names its test', async () => {
  const session = openExample(recorded([question('a'), 'one']))
  const late = lateOf(session)
  session.late.end(-1)
  session.reject(new CassetteError('refused', 'A connection was refused.\nWhy it was.'))
  expect(session.fault).toBeUndefined()
  const { code, headline, details } = explainLate(session, late[0]!, false)
  expect(code).toBe('refused')
  for (const part of [session.test.id, 'A connection']) expect(headline).toContain(part)
  expect(details).toContain('Why it was.')
  await expectGolden(`${headline}\n\n${details}`, 'late-connection')
})
