import { describe, expect, test, vi } from 'vitest'
import { ask } from '../ask.ts'
import { isChosen } from '../chosen.ts'
import { inOrder } from './in-order.ts'

describe.concurrent('one call for three tests', () => {
  const waiting: Array<{ question: string; resolve: (answer: string) => void }> = []
  const askTogether = (question: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.push({ question, resolve })
      if (waiting.length === 3) void flush()
    })
  const flush = async (): Promise<void> => {
    const batch = waiting.splice(0)
    const answer = await ask(batch.map(({ question }) => question).join())
    for (const { resolve } of batch) resolve(answer)
  }

  for (const question of ['a', 'b', 'c'])
    test.runIf(isChosen(question))(question, async () =>
      expect(await askTogether(question)).toContain(question),
    )
})

describe('a loop whose answers are polled', () => {
  const questions: string[] = []
  const answers: string[] = []
  let wake: (() => void) | undefined
  const run = async (): Promise<void> => {
    for (;;) {
      await new Promise<void>((resolve) => (wake = resolve))
      for (const question of questions.splice(0)) answers.push(await ask(question))
    }
  }

  for (const question of inOrder(['early', 'later', 'at last']))
    test.runIf(isChosen(question))(question, async () => {
      if (!wake) void run()
      questions.push(question)
      wake!()
      await vi.waitFor(() => expect(answers).toContain(`You said: ${question}`))
    })
})
