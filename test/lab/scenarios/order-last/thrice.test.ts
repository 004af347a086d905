import { test } from 'vitest'
import { ask } from '../ask.ts'
import { keep } from '../keep.ts'

test('asks one prompt once more than recorded', async () => {
  const answers = [await ask('numbered to the last'), await ask('numbered to the last')]
  if (!process.env.RECORD) answers.push(await ask('numbered to the last'))
  keep('answers', answers)
})
