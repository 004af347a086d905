import { expect, test } from 'vitest'

test('expects an answer', async () => {
  const response = await fetch(`${process.env.UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Well?' }] }),
  })
  expect(await response.text()).toContain('The expected answer')
})
