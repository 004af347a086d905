import { expect, test } from 'vitest'
import type { TestIdentity } from '../../../src/engine/session-contract.ts'
import { explainMiss } from '../../../src/explain/explain-miss.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

const AT = ['2026-01-01T10:00:00.000Z', '2026-02-02T11:11:11.000Z'] as const
const ID = ['6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'] as const

/** What is said of a prompt in which only values differ that vary between runs. */
function adviceFor(optionsOf?: TestIdentity['optionsOf']): string {
  const text = (run: 0 | 1): string => `Session ${ID[run]} of ${AT[run]}. Hi`
  const session = openExample(recorded([question(text(0)), 'Yes.']), { volatile: [/run-\d+/] })
  if (optionsOf) Object.assign(session.test, { optionsOf })
  session.answer(question(text(1)), { order: 0 })
  return explainMiss(session, session.misses[0]!, false).details
}

test('a test writes its rules in its config, or in its file', () => {
  const advice = adviceFor()
  expect(advice).toContain(
    'in cassettes({ … }) in your Vitest config, for all tests,\nor in useCassette({ … }) in a.test.ts',
  )
  expect(advice).toContain("  volatile: [/run-\\d+/, 'uuid', 'iso-datetime']\n")
  expect(advice).toContain('vi.setSystemTime')
})

test('a program that opens a cassette writes them there', () => {
  const advice = adviceFor('openCassette')
  expect(advice).toContain(
    "write this line in openCassette({ … }):\n  volatile: [/run-\\d+/, 'uuid', 'iso-datetime']\n",
  )
  expect(advice).not.toMatch(/Vitest config|useCassette|vi\./)
})

test('a command gets those that it has not', () => {
  const advice = adviceFor('command')
  expect(advice).toContain(
    'give this to the command too:\n  --volatile uuid --volatile iso-datetime\n',
  )
  expect(advice).not.toMatch(/Vitest config|useCassette|vi\./)
})
