import { test } from 'vitest'
import { ask } from '../ask.ts'
import { keep } from '../keep.ts'

test('asks one prompt twice', async () => {
  const answers = [await ask('numbered again'), await ask('numbered again')]
  keep('twice', answers)
  if (process.env.CHANGED === '1') await ask('numbered again')
})
