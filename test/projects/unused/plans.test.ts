import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks less than before', async () => {
  await ask('Where to?')
  await ask('And when?')
})

test('asks no more', async () => {
  await ask('Anything else?')
})

test('fails after its first question', async () => {
  const answer = await ask('How much?')
  if (process.env.FAILS) expect(answer).toBe('Odd: nothing')
  await ask('And for two?')
})

test('asks what it always asked', async () => {
  await ask('By train?')
})
