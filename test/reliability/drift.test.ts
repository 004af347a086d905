import { describe, expect, test } from 'vitest'
import { editsOf, type Edit } from './edits.ts'
import { driftPage } from './drift-page.ts'
import { MAY_PASS } from './may-pass.ts'
import { OTHER_BODIES } from './other-bodies.ts'
import { REQUESTS } from './requests.ts'
import { RecordedTest, ENTRANCES, type Sent } from './sent.ts'

const cases: Array<[name: string, sent: Sent, edits: Edit[]]> = [
  ...REQUESTS.map(([name, sent]): [string, Sent, Edit[]] => [name, sent, editsOf(sent)]),
  ...OTHER_BODIES,
]

test.each(cases)('a single edit fails the test, but for those listed: %s', (_, sent, edits) => {
  const recording = new RecordedTest(sent)
  expect(ENTRANCES.map((entrance) => recording.answers(sent, entrance))).toEqual([true, true])
  const wrong: string[] = []
  for (const edit of edits) {
    const rows = MAY_PASS.filter((row) => row.covers(edit))
    for (const entrance of ENTRANCES) {
      const passes = recording.answers(edit.sent, entrance)
      if (passes !== (rows.length === 1))
        wrong.push(`${entrance}: ${edit.kind} at ${edit.place} ${passes ? 'passes' : 'fails'}`)
    }
  }
  expect(wrong).toEqual([])
  expect(edits.length).toBeGreaterThan(3)
})

describe('the list of what may pass', () => {
  test('has nothing that no edit needs', () => {
    const idle = MAY_PASS.filter((row) => !cases.some(([, , edits]) => edits.some(row.covers)))
    expect(idle.map(({ what }) => what)).toEqual([])
  })

  test('is docs/drift.md', async () => {
    const edits = cases.flatMap(([, , tried]) => tried)
    const text = driftPage(cases.length, edits)
    await expect(text).toMatchFileSnapshot('../../docs/drift.md')
  })
})
