import { afterAll, describe, expect, test } from 'vitest'
import { edited } from '../changed.ts'
import { isChosen } from '../chosen.ts'
import { inOrder } from './in-order.ts'
import { startQueues } from './queues.ts'

let attempts = 0

for (const [name, ask] of inOrder(Object.entries(startQueues())))
  describe(name, () => {
    const tests: Array<[string, object, () => Promise<void>]> = [
      [
        'starts it',
        {},
        async () => {
          const asked = ['one', 'two'].map((question) => ask(`${question} by ${name}`))
          expect(await Promise.all(asked)).toEqual([
            `You said: one by ${name}`,
            `You said: two by ${name}`,
          ])
        },
      ],
      [
        'finds it',
        {},
        async () => {
          const questions = ['three', edited('four', 'for'), 'again']
          const asked = questions.map((question) => ask(`${question} by ${name}`))
          expect((await Promise.all(asked))[2]).toBe(`You said: again by ${name}`)
        },
      ],
      [
        'tries again',
        { retry: 1 },
        async () => {
          expect(await ask(`again by ${name}`)).toBe(`You said: again by ${name}`)
          expect(++attempts % 2).toBe(0)
        },
      ],
      [
        'repeats',
        { repeats: 1 },
        async () => {
          expect(await ask(`repeated by ${name}`)).toBe(`You said: repeated by ${name}`)
        },
      ],
    ]
    for (const [title, options, run] of inOrder(tests))
      test.runIf(isChosen(name, title))(title, options, run)
  })

afterAll(() => console.log('done'))
