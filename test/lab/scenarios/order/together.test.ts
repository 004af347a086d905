import { expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { keep } from '../keep.ts'

const { ROUND = '1', RECORD, REVERSED } = process.env

// The upstream turns about those of a round at each recording, so a recording that is not made again has its own.
const questions = [
  `uneven 0 of round ${ROUND}`,
  `uneven 1 of round ${ROUND}`,
  'What is third?',
  'What is fourth?',
]

test('asks all at once', async () => {
  // What is slow the first time would decide which answer ends first.
  await ask('Are you there?')
  const finished: string[] = []
  const asked = REVERSED ? questions.toReversed() : questions
  const answers = await Promise.all(
    asked.map(async (question) => {
      const answer = await ask(question)
      finished.push(question)
      return answer
    }),
  )
  if (RECORD || REVERSED) keep('finished', finished)
  expect(answers).toEqual(asked.map((question) => `Odd: ${question}`))
})
