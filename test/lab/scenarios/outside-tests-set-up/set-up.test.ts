import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('has what its set-up file asked', async () => {
  expect(await ask('test')).toBe('Odd: test')
})
