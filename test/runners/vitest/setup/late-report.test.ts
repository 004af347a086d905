import { expect, test } from 'vitest'
import type { Session } from '../../../../src/engine/session.ts'
import { LateReport } from '../../../../src/runners/vitest/setup/late-report.ts'
import { openExample, question, recorded } from '../../../engine/example-session.ts'

/** Sends one request in time, and others when the test has ended; gives what is said of those. */
async function endsWith(inTime: string, late: string[]): Promise<string[]> {
  const requests = new LateReport('a.test.ts', false)
  const session: Session = openExample(recorded([question('Hi'), 'Ho']))
  session.late.hear = (request) => requests.hear(session, request)
  session.answer(question(inTime), { order: 0 })
  session.late.end(0)
  for (const [index, text] of late.entries()) session.answer(question(text), { order: index + 1 })
  const failures = await requests.end()
  return failures.map(({ headline }) => headline)
}

test('requests that come late fail the file, each with its test', async () => {
  const said = await endsWith('Hi', ['One?', 'Two?'])
  expect(said).toHaveLength(2)
  for (const headline of said) expect(headline).toContain('when its test had ended')
})

test('of a test that a miss has failed, what its queue still sends says nothing more', async () => {
  expect(await endsWith('Hello', ['One?', 'Two?'])).toEqual([])
})
