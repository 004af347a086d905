import { describe, expect, test } from 'vitest'
import { FORMATS } from './meaning/formats.ts'
import { meaningfulEdits, sentBy } from './meaning/edits.ts'
import { harmlessEdits } from './meaning/harmless.ts'
import { ENTRANCES, RecordedTest } from './sent.ts'

test('there are nine formats', () => {
  expect(FORMATS.length).toBe(9)
})

describe.each(FORMATS)('$name', (format) => {
  const sent = sentBy(format)
  const recording = new RecordedTest(sent)
  const answered = (edits: ReturnType<typeof meaningfulEdits>, isAnswered: boolean): string[] =>
    edits.flatMap((edit) =>
      ENTRANCES.filter((entrance) => recording.answers(edit.sent, entrance) === isAnswered).map(
        (entrance) => `${entrance}: ${edit.what} (${edit.why})`,
      ),
    )

  test('an edit of meaning fails', () => {
    const edits = meaningfulEdits(format)
    expect(edits.length).toBeGreaterThanOrEqual(25)
    expect(edits.filter((edit) => JSON.stringify(edit.sent) === JSON.stringify(sent))).toEqual([])
    expect(answered(edits, true)).toEqual([])
  })

  test('a harmless change passes', () => {
    expect(answered(harmlessEdits(format), false)).toEqual([])
  })
})
