import { afterAll, describe, expect, test } from 'vitest'
import { startQueues } from './queues.ts'

let attempts = 0

for (const [name, ask] of Object.entries(startQueues()))
  describe(name, () => {
    test('starts it', async () => {
      const asked = ['one', 'two'].map((question) => ask(`${question} by ${name}`))
      expect(await Promise.all(asked)).toEqual([
        `You said: one by ${name}`,
        `You said: two by ${name}`,
      ])
    })

    test('finds it', async () => {
      const asked = ['three', 'four', 'again'].map((question) => ask(`${question} by ${name}`))
      expect((await Promise.all(asked))[2]).toBe(`You said: again by ${name}`)
    })

    test('tries again', { retry: 1 }, async () => {
      expect(await ask(`again by ${name}`)).toBe(`You said: again by ${name}`)
      expect(++attempts % 2).toBe(0)
    })

    test('repeats', { repeats: 1 }, async () => {
      expect(await ask(`repeated by ${name}`)).toBe(`You said: repeated by ${name}`)
    })
  })

afterAll(() => console.log('done'))
