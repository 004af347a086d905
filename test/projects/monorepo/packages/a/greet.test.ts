import { expect, test } from 'vitest'
import { ask } from '../../../ask.ts'

test('greets', async () => {
  expect(await ask('Hello from a')).not.toBe('')
})
