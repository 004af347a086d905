import { describe, expect, test } from 'vitest'

const SYSTEM = 'You are brief.'

async function ask(content: string, more: object = {}): Promise<string> {
  const response = await fetch('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content },
      ],
      ...more,
    }),
  })
  return await response.text()
}

describe('support', () => {
  test('greets', async () => {
    expect(await ask('Hello')).toContain('Hi there.')
  })

  test('streams', async () => {
    expect(await ask('Count', { stream: true })).toContain('[DONE]')
  })

  test('asks twice', async () => {
    expect(await ask('One')).toContain('first')
    expect(await ask('Two')).toContain('second')
  })
})
