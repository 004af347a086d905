import { expect, test } from 'vitest'
import type { Session } from '../../../../src/engine/session.ts'
import type { ReportedFailure } from '../../../../src/explain/failure.ts'
import { LateReport } from '../../../../src/runners/vitest/setup/late-report.ts'
import { openExample, question, recorded } from '../../../engine/example-session.ts'
import { expectGolden } from '../../../golden.ts'

/** Sends one request in time, and others when the test has ended; gives the failures of those. */
async function endsWith(inTime: string, late: string[]): Promise<ReportedFailure[]> {
  const requests = new LateReport('a.test.ts', false)
  const session: Session = openExample(recorded([question('Hi'), 'Ho']))
  session.late.hear = (request) => requests.hear(session, request)
  session.answer(question(inTime), { order: 0 })
  session.late.end(0)
  for (const [index, text] of late.entries()) session.answer(question(text), { order: index + 1 })
  const failures = await requests.end()
  return failures
}

test('requests that come late fail the file, each with its test', async () => {
  const failures = await endsWith('Hi', ['One?', 'Two?'])
  expect(failures).toHaveLength(2)
  for (const { code, headline } of failures) {
    expect(code).toBe('miss')
    expect(headline).toContain('"a.test.ts > asks"')
    await expectGolden(headline, 'late-request')
  }
})

test('of a test that a miss has failed, what its queue still sends says nothing more', async () => {
  expect(await endsWith('Hello', ['One?', 'Two?'])).toEqual([])
})
