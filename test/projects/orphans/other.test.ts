import { test } from 'vitest'
import { ask } from '../ask.ts'

test('is elsewhere', async () => {
  await ask('Elsewhere?')
})
