import { expect, test } from 'vitest'
import { explainMiss } from '../as-reported.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

/** The details of the failure of a test that asks something else than is recorded. */
function detailsOf(before: string, now: string): string {
  const session = openExample(recorded([question(before), 'Yes.']))
  session.answer(question(now), { order: 0 })
  return explainMiss(session, session.misses[0]!, false).details
}

const COMMAND = "npx vitest-cassette doctor --twice -- a.test.ts -t '^asks$'"

/** The paragraph that ends with the command. */
function adviceIn(details: string): string {
  return details.split('\n\n').find((one) => one.endsWith(`\n  ${COMMAND}`))!
}

test('a word that looks made up for each run leads to the command that finds its rule', async () => {
  const details = detailsOf('Ticket TCK-682673, please.', 'Ticket TCK-895386, please.')
  const two = detailsOf('TCK-682673 of C0012', 'TCK-895386 of C9934')
  expect(adviceIn(details)).toContain('\n  "TCK-682673" → "TCK-895386"\n')
  expect(adviceIn(detailsOf('Trace q7x2m9.', 'Trace 8kd03z.'))).toContain('"q7x2m9." → "8kd03z."')
  expect(adviceIn(two)).toContain('"C0012" → "C9934"')
  await expectGolden(`${adviceIn(details)}\n\n${adviceIn(two)}`, 'one-word-and-two')
})

test('the command is named too where a named rule knows only a part', async () => {
  const details = detailsOf(
    'Trace one, at 2026-01-01T10:00:00.000Z',
    'Trace two, at 2026-02-02T11:11:11.000Z',
  )
  await expectGolden(adviceIn(details), 'a-named-rule-knows-a-part')
})

test('it is found between megabytes that are alike, and in several lines', () => {
  const text = (ticket: string, customer: string): string =>
    `\nRules${'\n'.repeat(500_000)}${ticket}\nof\n${customer} now${'\n'.repeat(500_000)}end`
  const details = detailsOf(text('TCK-682673', 'C0012'), text('TCK-895386', 'C9934'))
  expect(details).toContain('"TCK-682673" → "TCK-895386"\n  "C0012" → "C9934"\n')
})

test.each([
  ['a word', 'Be kind to T-1000.', 'Be brief to T-1000.'],
  ['a limit', 'At most 5000 words.', 'At most 6000 words.'],
  ['a year', 'Prices of 2025.', 'Prices of 2026.'],
  ['a model', 'Ask gpt-4.', 'Ask gpt-5.'],
  ['more than such a word', 'Be kind: TCK-682673', 'Be brief: TCK-895386'],
  ['one word more', 'TCK-682673', 'TCK-895386 now'],
])('an edit of %s does not', (_, before, now) => {
  expect(detailsOf(before, now)).not.toContain('doctor')
})
