import { test } from 'vitest'
import { ask } from '../ask.ts'

test('asks', async () => void console.log(`answer: ${await ask('numbered sample')}`))

test('asks twice', async () => {
  const answer = await ask('numbered first')
  await ask(`And then? ${answer}`)
})

test('asks nothing', () => {})
