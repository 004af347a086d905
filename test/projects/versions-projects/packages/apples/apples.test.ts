import { expect, test } from 'vitest'
import { ask } from '../../../ask.ts'

test('counts apples', async () => {
  expect(await ask('How many apples?')).toBe('Odd: How many apples?')
})
