import { expect, test } from 'vitest'
import { say } from './waiter.ts'

test('says good morning', async () => {
  expect(await say('Good morning')).toBe('You said: Good morning')
})

test('says something', async () => {
  expect((await say('Good night')).length).toBeGreaterThan(0)
})

test('says what it was told', async () => {
  const told = await say('A secret')
  expect(await say(`Repeat: ${told}`)).toContain('Repeat')
})

test('reads what it is told', async () => {
  const { city } = JSON.parse(await say('Weather as JSON'))
  expect(city).toBe('Bern')
})
