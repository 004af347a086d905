import { afterEach, expect, test, vi } from 'vitest'
import { ask } from '../ask.ts'

afterEach(() => vi.useRealTimers())

test('was called invalid', async () => {
  await ask('Where is it?')
  await ask('And when?')
})

test('is old, by a clock of its own', async () => {
  vi.setSystemTime('2001-01-01')
  await ask('How old is it?')
})

test('fails often', async () => {
  const answer = await ask('How much?')
  if (process.env.FAILS) expect(answer).toBe('nothing')
})
