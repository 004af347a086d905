import { expect, test } from 'vitest'
import { complete, completeByHand, type Message } from './sdk.ts'

const SYSTEM: Message = { role: 'system', content: 'You are a clerk of a warehouse. Be brief.' }

test('answers a question', async () => {
  expect(await complete([SYSTEM, { role: 'user', content: 'Where is my order?' }])).toBeTypeOf(
    'string',
  )
})

test('talks for three turns', async () => {
  const messages = [SYSTEM]
  for (const content of ['Where is it?', 'When does it arrive?', 'Thank you.']) {
    messages.push({ role: 'user', content })
    messages.push({ role: 'assistant', content: await complete(messages) })
  }
  expect(messages).toHaveLength(7)
})

test('asks without the SDK', async () => {
  expect(await completeByHand('What is the time?')).toBeTypeOf('string')
})
