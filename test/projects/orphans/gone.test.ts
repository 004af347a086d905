import { test } from 'vitest'
import { ask } from '../ask.ts'

await ask('Is it going?')

test('goes with its file', async () => {
  await ask('Gone?')
})
