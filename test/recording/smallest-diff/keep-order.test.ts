import { expect, test } from 'vitest'
import { type Cassette, isRecorded, type TimeSpan } from '../../../src/cassette/cassette.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { question, recorded } from '../../engine/example-session.ts'

type Said = readonly [question: string, answer: string, created: number, ended: number]

function cassette(...said: readonly Said[]): Cassette {
  const made = recorded(
    ...said.map(([asked, answer]): Parameters<typeof recorded>[0] => [question(asked), answer]),
  )
  const spanOf = (at: number): TimeSpan => ({ created: said[at]![2], ended: said[at]![3] })
  return { ...made, exchanges: made.exchanges.map((one, at) => ({ ...one, span: spanOf(at) })) }
}

const promptsOf = ({ exchanges }: Cassette): string[] =>
  exchanges.filter(isRecorded).map(({ prompt }) => prompt.text)

const again = (old: Cassette, fresh: Cassette): string[] =>
  promptsOf(keepUnchanged({ unordered: true })(old, fresh))

const last = (text: string): Said => [text, 'done', 5, 6]
const first: readonly Said[] = [
  ['quick', 'Hare.', 1, 3],
  ['slow', 'Tortoise.', 2, 4],
]
const turned: readonly Said[] = [
  ['slow', 'Tortoise.', 2, 3],
  ['quick', 'Hare.', 1, 4],
]

test('the order of responses in flight stays where nothing depends on it', () => {
  expect(again(cassette(...first, last('Go on.')), cassette(...turned, last('Go on.')))).toEqual([
    'quick',
    'slow',
    'Go on.',
  ])
  // A word changed, and both prompts hold both responses as they were asked for.
  expect(
    again(
      cassette(...first, last('Compare Hare. and Tortoise.')),
      cassette(...turned, last('Please compare Hare. and Tortoise.')),
    ),
  ).toEqual(['quick', 'slow', 'Please compare Hare. and Tortoise.'])
})

test.each([
  ['another model won a race', 'The winner: Hare.', 'The winner: Tortoise.'],
  ['responses are listed as they came', 'Hare. Tortoise.', 'Tortoise. Hare.'],
])('a new prompt that depends on it brings the new order: %s', (_, old, now) => {
  expect(again(cassette(...first, last(old)), cassette(...turned, last(now)))).toEqual([
    'slow',
    'quick',
    now,
  ])
})
