import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('orders', async () => {
  expect(await ask('A coffee, please')).toBe('Odd: A coffee, please')
})

test('orders', async () => {
  expect(await ask('A tea, please')).toBe('Odd: A tea, please')
})
