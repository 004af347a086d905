import { expect, test } from 'vitest'
import { ask } from './clients.ts'

test.each(Object.keys(ask))('%s', async (client) => {
  expect(await ask[client]!(`I am ${client}`)).toBe(`Odd: I am ${client}`)
})
