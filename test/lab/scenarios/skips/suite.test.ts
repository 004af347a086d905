import { expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'

const isAvailable = await ask(`Who is there ${edited('today', 'tomorrow')}?`).then(
  () => true,
  () => false,
)

test.skipIf(!isAvailable)('runs if the provider is available', () => {
  expect(isAvailable).toBe(true)
})
