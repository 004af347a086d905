import { expect, test } from 'vitest'
import { summarise } from '../app/actions'
import { POST } from '../app/api/chat/route'
import { question } from './question'

test('the route looks an order up before it answers', async ({ cassette }) => {
  const body = question('Where is my order 7?')
  const answer = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))

  expect(await answer.text()).toContain('tool-output-available')
  expect(cassette).toHaveCalledTool('look_up_order', { order: 7 })
})

test('the action sums a conversation up', async () => {
  const conversation = 'user: Where is my order 7?\nassistant: It arrives on 3 May.'

  expect(await summarise(conversation)).toContain('order 7')
})
