import { expect, test } from 'vitest'
import type { TestIdentity } from '../../../src/engine/session-contract.ts'
import { explainMiss } from '../as-reported.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

const AT = ['2026-01-01T10:00:00.000Z', '2026-02-02T11:11:11.000Z'] as const
const ID = ['6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'] as const

/** What is said of a prompt in which only values differ that vary between runs. */
function adviceFor(optionsOf?: TestIdentity['optionsOf']): string {
  const text = (run: 0 | 1): string => `Session ${ID[run]} of ${AT[run]}. Hi`
  const session = openExample(recorded([question(text(0)), 'Yes.']), { volatile: [/run-\d+/] })
  if (optionsOf) Object.assign(session.test, { optionsOf })
  session.answer(question(text(1)), { order: 0 })
  // Behind the request, the closest exchange and the diff.
  return explainMiss(session, session.misses[0]!, false).details.split('\n\n')[3]!
}

const LINE = "volatile: [/run-\\d+/, 'uuid', 'iso-datetime']"

test('a test writes its rules in its config, or in its file', async () => {
  const advice = adviceFor()
  expect(advice).toMatch(/cassettes\(\{ … \}\)[^]*useCassette\(\{ … \}\) in a\.test\.ts/)
  expect(advice).toContain(`\n  ${LINE}\n`)
  expect(advice).toContain('vi.setSystemTime')
  await expectGolden(advice, 'of-a-test')
})

test('a program that opens a cassette has them there', async () => {
  const advice = adviceFor('openCassette')
  expect(advice).toMatch(/openCassette\(\{ … \}\)/)
  expect(advice.endsWith(`\n  ${LINE}`), advice).toBe(true)
  await expectGolden(advice, 'of-a-program')
  expect(advice).not.toMatch(/Vitest config|useCassette|vi\./)
})

test('a command gets those that it has not', async () => {
  const advice = adviceFor('command')
  expect(advice.endsWith('\n  --volatile uuid --volatile iso-datetime'), advice).toBe(true)
  await expectGolden(advice, 'of-a-command')
  expect(advice).not.toMatch(/Vitest config|useCassette|vi\./)
})
