import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { LESS, FAILS } = process.env

test('asks less than before', async () => {
  if (!LESS) await ask('Where to?')
  await ask('And when do we start?')
})

test('asks no more', async () => {
  if (!LESS) await ask('Anything else?')
})

test('fails after its first question', async () => {
  const answer = await ask('How much?')
  if (FAILS) expect(answer).toBe('Odd: nothing')
  await ask('And for two?')
})

test('asks what it always asked', async () => {
  await ask('By train?')
})
