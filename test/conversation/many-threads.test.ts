import { expect, test } from 'vitest'
import { linkThreads } from '../../src/conversation/threads.ts'
import { readSteps } from '../../src/conversation/step.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { AskedRequest } from '../../src/engine/session-contract.ts'
import type { Course } from '../../src/engine/rare-cases.ts'
import { cassetteOrLive } from '../../src/features/all-rare-cases.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import { chat } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { countWork } from '../reliability/work.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Tests that ask much: the prompt and the answer of each request, and how many conversations these are. */
const CASES: Record<
  string,
  [asked: (index: number) => [Incoming, string], threads: (count: number) => number]
> = {
  'questions that have nothing in common': [
    (index) => [question(`Question ${index}`), `Answer ${index}`],
    (count) => count,
  ],
  'questions with the same answer': [
    (index) => [question(`Question ${index}`), 'OK'],
    (count) => count,
  ],
  'the same question again and again': [
    (index) => [question('Roll a die'), `${(index % 6) + 1}`],
    (count) => count,
  ],
  'questions that nothing answers': [
    (index) => [question(`Question ${index}`), ''],
    (count) => count,
  ],
  'conversations side by side': [
    (index) => {
      const user = Math.floor(index / 2)
      const first = [`I am ${user}`, `Hello ${user}`]
      return index % 2 === 0
        ? [chat(first[0]!), first[1]!]
        : [chat(...first, 'And now?'), `Goodbye ${user}`]
    },
    (count) => count / 2,
  ],
  'branches of one conversation': [
    (index) =>
      index === 0
        ? [chat('Plan'), 'A plan']
        : [chat('Plan', 'A plan', `Step ${index}`), `Done ${index}`],
    (count) => count - 1,
  ],
}

/** Expects that of a hundred requests, two hundred and four hundred, each takes as much work. */
async function expectLinear(work: (count: number) => Promise<number>): Promise<void> {
  // What happens once happens here: modules, and tables that are filled when they are needed.
  await work(10)
  const [few, more, most] = [await work(100), await work(200), await work(400)]
  expect(few).toBeGreaterThan(100)
  // Twice as much is added, for twice as many; a twentieth is left for what depends on chance.
  expect((most - more) / (more - few)).toBeLessThan(2.1)
}

test.for(Object.entries(CASES))('%s are linked in linear time', async ([, [ask, threads]]) => {
  await expectLinear(async (count) => {
    const steps = readSteps(recorded(...numbers(count).map(ask)))
    let linked: unknown[] = []
    const work = await countWork(async () => (linked = linkThreads(steps)))
    expect(linked).toHaveLength(threads(count))
    return work
  })
})

test('the same question again and again, without an answer, is one thread', () => {
  const asked = numbers(300).map((): [Incoming, string] => [question('Roll a die'), ''])
  const steps = readSteps(recorded(...asked))
  expect(linkThreads(steps)).toHaveLength(1)
})

test('who has the word among many conversations is found in linear time', async () => {
  const [ask] = CASES['conversations side by side']!
  await expectLinear((count) => countWork(() => askAll(recorded(...numbers(count).map(ask)), ask)))
})

async function askAll(
  { exchanges }: Cassette,
  ask: (index: number) => [Incoming, string],
): Promise<void> {
  const asked: AskedRequest[] = []
  const course = { ...openExample(undefined), arrived: asked } as unknown as Course
  for (const [order, { wire }] of exchanges.entries()) {
    const [incoming] = ask(order)
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
}

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
