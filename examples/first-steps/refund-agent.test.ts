import { expect, test } from 'vitest'
import { answerCustomer } from './refund-agent.ts'

test('looks the order up before it answers', async () => {
  expect(await answerCustomer('Where is my order 7?')).toContain('3 May')
})
