import { test } from 'vitest'
import { describeChanges, type Rerecorded } from '../../../src/tools/record/record.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { expectGolden } from '../../golden.ts'

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

const RUNS: Record<string, Rerecorded[]> = {
  'the same': [same],
  'the same twice': [same, same],
  new: [fresh],
  'two prompts, an answer, and the same twice': [prompt, prompt, answer, same, same],
  'both halves, and the same': [both, same],
  'new, and in another form': [fresh, form],
  'one that could not be read': [torn],
}

test('what a run recorded is counted by what changed', async () => {
  const texts = Object.entries(RUNS).map(([what, all]) => `${what}\n${describeChanges(all)}`)
  await expectGolden(texts.join('\n\n'), 'changes')
})
