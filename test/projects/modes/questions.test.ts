import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks one question', async () => {
  expect(await ask('How are you?')).toBe('Odd: How are you?')
})

test('asks two questions', async () => {
  expect(await ask('Who are you?')).toBe('Odd: Who are you?')
  expect(await ask('And where?')).toBe('Odd: And where?')
})

test('asks no model', () => {
  expect(1 + 1).toBe(2)
})
