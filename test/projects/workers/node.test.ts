import { expect, test } from 'vitest'

test('asks in Node', async () => {
  const response = await fetch(`${process.env.UPSTREAM}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-of-node', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'In Node' }] }),
  })
  expect((await response.json()).choices[0].message.content).toBe('You said: In Node')
})
