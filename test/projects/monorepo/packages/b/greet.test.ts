import { expect, test } from 'vitest'
import { ask } from '../../../ask.ts'

test('greets', async () => {
  expect(await ask('Hello from b')).not.toBe('')
})
