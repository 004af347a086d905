import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks one prompt twice', async () => {
  const answers = [await ask('numbered again'), await ask('numbered again')]
  expect(answers).toEqual(['Odd: numbered again (1)', 'Odd: numbered again (2)'])
})
