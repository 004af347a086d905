import { expect, test } from 'vitest'
import { edited } from '../changed.ts'
import { askLazily } from './app.ts'

test('starts it', async () => {
  expect(await askLazily('one starts')).toBe('You said: one starts')
})

test('finds it started', async () => {
  expect(await askLazily(edited('one finds', 'one is found'))).toBe('You said: one finds')
  expect(await askLazily('one again')).toBe('You said: one again')
})
