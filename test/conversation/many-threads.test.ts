import { expect, test, vi } from 'vitest'
import { continues, linkThreads } from '../../src/conversation/threads.ts'
import { readSteps } from '../../src/conversation/step.ts'
import type { AskedRequest } from '../../src/engine/session-contract.ts'
import type { Course } from '../../src/engine/rare-cases.ts'
import { cassetteOrLive } from '../../src/features/all-rare-cases.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import { chat } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

vi.mock(import('../../src/conversation/threads.ts'), async (original) => {
  const module = await original()
  return { ...module, continues: vi.fn(module.continues) }
})

const COUNT = 300

const numbers = Array.from({ length: COUNT }, (_, index) => index)

/** Tests that ask much: the prompt and the answer of each request, and how many conversations they are. */
const CASES: Record<string, [asked: (index: number) => [Incoming, string], threads: number]> = {
  'questions that have nothing in common': [
    (index) => [question(`Question ${index}`), `Answer ${index}`],
    COUNT,
  ],
  'questions with the same answer': [(index) => [question(`Question ${index}`), 'OK'], COUNT],
  'the same question again and again': [
    (index) => [question('Roll a die'), `${(index % 6) + 1}`],
    COUNT,
  ],
  'questions that nothing answers': [(index) => [question(`Question ${index}`), ''], COUNT],
  'the same question, which nothing answers': [() => [question('Roll a die'), ''], 1],
  'conversations side by side': [
    (index) => {
      const user = Math.floor(index / 2)
      const first = [`I am ${user}`, `Hello ${user}`]
      return index % 2 === 0
        ? [chat(first[0]!), first[1]!]
        : [chat(...first, 'And now?'), `Goodbye ${user}`]
    },
    COUNT / 2,
  ],
  'branches of one conversation': [
    (index) =>
      index === 0
        ? [chat('Plan'), 'A plan']
        : [chat('Plan', 'A plan', `Step ${index}`), `Done ${index}`],
    COUNT - 1,
  ],
}

test.for(Object.entries(CASES))('%s are linked in linear time', ([, [ask, threads]]) => {
  const steps = readSteps(recorded(...numbers.map(ask)))
  vi.mocked(continues).mockClear()
  expect(linkThreads(steps)).toHaveLength(threads)
  expect(vi.mocked(continues).mock.calls.length).toBeLessThanOrEqual(COUNT)
})

test('who has the word among many conversations is found by looking at a few', () => {
  const { exchanges } = recorded(...numbers.map(CASES['conversations side by side']![0]))
  const asked: AskedRequest[] = []
  const course = { ...openExample(undefined), arrived: asked } as unknown as Course
  vi.mocked(continues).mockClear()
  for (const [order, { wire }] of exchanges.entries()) {
    const [incoming] = CASES['conversations side by side']![0](order)
    // The very first of them goes to the provider.
    expect(cassetteOrLive(course, incoming)).toBe(order === 1 ? 'live' : 'cassette')
    const { response } = wire!
    if (order > 0) asked.push({ order, incoming, response: response!, replayed: exchanges[order]! })
    else
      asked.push({
        order,
        recording: { incoming, keep: async () => {}, response: response!, durationMs: 1 },
      })
  }
  // Once to answer it, and once to link it.
  expect(vi.mocked(continues).mock.calls.length).toBeLessThanOrEqual(2 * COUNT)
})

test('an answer that arrives while others are asked is known to what goes on from it', () => {
  const [first, second] = [chat('Hi'), chat('Hi', 'Hello', 'And now?')]
  const { exchanges } = recorded([first, 'Hello'], [second, 'Well'])
  const recording: AskedRequest['recording'] = { incoming: first, keep: async () => {} }
  const asked: AskedRequest[] = [{ order: 0, recording }]
  const course = { ...openExample(undefined), arrived: asked } as unknown as Course
  const elsewhere = chat('Something else')
  expect(cassetteOrLive(course, elsewhere)).toBe('cassette')
  const onlyAnswer = chat('A summary', 'Hello', 'And now?')
  expect(cassetteOrLive(course, onlyAnswer)).toBe('cassette')
  recording.response = exchanges[0]!.wire!.response!
  recording.durationMs = 1
  expect(cassetteOrLive(course, second)).toBe('live')
  expect(cassetteOrLive(course, onlyAnswer)).toBe('live')
})
