import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('orders', async () => {
  expect(await ask('A beer, please')).toBe('Odd: A beer, please')
})
