import { expect, test } from 'vitest'
import { ask } from './ask'

const early = await ask('While it is imported').catch(() => 'nothing')

test('goes on without an answer', () => {
  expect(early).toBe('nothing')
})
