import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const isAvailable = await ask(`Who is there ${process.env.WORD ?? 'today'}?`).then(
  () => true,
  () => false,
)

test.skipIf(!isAvailable)('runs if the provider is available', () => {
  expect(isAvailable).toBe(true)
})
