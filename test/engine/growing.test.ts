import { expect, onTestFinished, test, vi } from 'vitest'
import type { AskedRequest } from '../../src/engine/session-contract.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import type { Course } from '../../src/engine/rare-cases.ts'
import { cassetteOrLive } from '../../src/features/all-rare-cases.ts'
import * as hashing from '../../src/prompt/sha256.ts'
import { openExample, question, recorded } from './example-session.ts'
import { dialectFor } from '../../src/engine/read-prompt.ts'

/** The turns of a conversation that sends all of its history with each. */
function turns(count: number, word: string): Incoming[] {
  const said = Array.from({ length: count }, (_, turn) => [
    { role: 'user', content: `${word} ${turn}` },
    { role: 'assistant', content: `Answer ${turn}` },
  ]).flat()
  return said
    .filter(({ role }) => role === 'user')
    .map((_, turn) => question('', { messages: said.slice(0, turn * 2 + 1) }))
}

function cassetteOf(asked: Incoming[]): ReturnType<typeof recorded> {
  return recorded(...asked.map((one, turn): [Incoming, string] => [one, `Answer ${turn}`]))
}

interface Work {
  answersRead: number
  textsHashed: number
}

/** What the 11th turn takes, and the 21st, whose prompt is twice as long. */
function measure(incoming: Incoming[], ask: (incoming: Incoming) => void): Work[] {
  const read = vi.spyOn(dialectFor(incoming[0]!), 'readCompletion')
  const hash = vi.spyOn(hashing, 'sha256')
  onTestFinished(() => void [read, hash].map((spy) => spy.mockRestore()))
  const work = incoming.map((one) => {
    read.mockClear()
    hash.mockClear()
    ask(one)
    return { answersRead: read.mock.calls.length, textsHashed: hash.mock.calls.length }
  })
  return [work[10]!, work[20]!]
}

function expectLinear([middle, last]: Work[]): void {
  expect(last!.answersRead).toBe(1)
  expect(last!.textsHashed).toBeLessThanOrEqual(2 * middle!.textsHashed)
}

test('who has the word in a conversation that goes on live is found by reading each prompt and answer once', () => {
  const incoming = turns(21, 'Question')
  const answers = cassetteOf(incoming).exchanges
  const asked: AskedRequest[] = []
  const course = { ...openExample(undefined), arrived: asked } as unknown as Course
  const work = measure(incoming, (one) => {
    cassetteOrLive(course, one)
    const { response } = answers[asked.length]!.wire!
    const recording = { incoming: one, response, keep: async () => {} }
    asked.push({ order: asked.length, recording })
  })
  expectLinear(work)
})

test('the cassette is not read again for each changed prompt whose answer is kept', () => {
  const session = openExample(cassetteOf(turns(21, 'Question')), { mode: 'prompts' })
  const work = measure(turns(21, 'Changed question'), (one) => {
    expect(session.answer(one, { order: session.asked.length + 1 }).action).toBe('replay')
  })
  expectLinear(work)
})
