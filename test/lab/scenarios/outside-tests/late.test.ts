import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('ends before its request', () => {
  void delay(30)
    .then(() => ask('What is late?'))
    .catch((error: Error) => console.log(`late: ${error.message}`))
})

test('runs meanwhile', async () => {
  await delay(120)
  expect(await ask('What is early?')).toBe('Odd: What is early?')
})
