import { expect, test } from 'vitest'
import { describeChanges, type Rerecorded } from '../../../src/tools/record/record.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'

/** A cassette with one exchange. */
function side(prompt: string, answer: string, text: string = prompt + answer) {
  const exchange = {
    id: 'exchange-1',
    prompt: { text: prompt, metadata: {} },
    response: { text: answer },
  }
  const cassette: Cassette = {
    conversationId: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: [exchange],
  }
  return { text, cassette }
}

const old = side('Hi', 'Ho')
const same: Rerecorded = { before: old, after: old }
const fresh: Rerecorded = { after: old }
const prompt: Rerecorded = { before: old, after: side('Hello', 'Ho') }
const answer: Rerecorded = { before: old, after: side('Hi', 'Hum') }
const both: Rerecorded = { before: old, after: side('Hello', 'Hum') }
const form: Rerecorded = { before: old, after: side('Hi', 'Ho', 'other bytes') }
const torn: Rerecorded = { before: { text: '{' }, after: old }

test.each<[Rerecorded[], string]>([
  [[same], '1 cassette as it was'],
  [[same, same], '2 cassettes as they were'],
  [[fresh], '1 new cassette'],
  [
    [prompt, prompt, answer, same, same],
    '3 cassettes: the prompt of 2, the answer of 1; 2 as they were',
  ],
  [[both, same], '1 cassette: the prompt of 1, the answer of 1; 1 as it was'],
  [[fresh, form], '1 new cassette; 1 cassette changed: only how it is written of 1'],
  [[torn], '1 cassette: the prompt of 1, the answer of 1'],
])('%#: %s', (all, text) => {
  expect(describeChanges(all)).toBe(text)
})
