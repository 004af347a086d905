import { expect, test } from 'vitest'

async function ask(content: string): Promise<string> {
  const response = await fetch(`${process.env.ODD_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  })
  return response.text()
}

test.for([
  ['a page in the place of an answer', 'page 404'],
  ['another answer', 'Well?'],
])('expects what it does not get: %s', async ([, question]) => {
  expect(await ask(question!)).toContain('The expected answer')
})
