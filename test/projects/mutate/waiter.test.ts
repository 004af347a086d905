import { expect, test } from 'vitest'
import { reserve, reserveAndSay } from './waiter.ts'

test('reserves what was asked for', async () => {
  expect(await reserve({ day: 'Monday', guests: 4 })).toEqual({ day: 'Monday', guests: 4 })
})

test('reserves for all, whenever', async () => {
  expect((await reserve({ day: 'Sunday', guests: 2 })).guests).toBe(2)
})

test('sends the answer back', async () => {
  expect(await reserveAndSay({ day: 'Monday' })).toContain('reserved')
})

test('asks no model', () => expect(1).toBe(1))
