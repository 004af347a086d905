import { expect, test } from 'vitest'
import { ask } from '../../../ask.ts'

test('counts pears', async () => {
  expect(await ask('How many pears?')).toBe('Odd: How many pears?')
})
