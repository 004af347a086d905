import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const questions = ['uneven 0', 'uneven 1', 'What is third?', 'What is fourth?']

test('asks all at once', async () => {
  const finished: string[] = []
  const answers = await Promise.all(
    questions.map(async (question, index) => {
      // What is asked first when it is replayed is asked last when it is replayed REVERSED.
      if (process.env.REVERSED) await delay(20 * (questions.length - index))
      const answer = await ask(question)
      finished.push(question)
      return answer
    }),
  )
  console.log(`finished: ${finished.join(', ')}.`)
  expect(answers).toEqual(questions.map((question) => `Odd: ${question}`))
})
