import { expect, test } from 'vitest'
import { askLazily } from './app.ts'

test('starts it', async () => {
  expect(await askLazily('two starts')).toBe('You said: two starts')
})

test('finds it started', async () => {
  expect(await askLazily('two finds')).toBe('You said: two finds')
  expect(await askLazily('two again')).toBe('You said: two again')
})
