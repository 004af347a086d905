import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks in another file', async () => {
  expect(await ask('Which file?')).toBe('Odd: Which file?')
})
