import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks while it uploads', async () => {
  const [uploaded, asked] = await Promise.all([upload('What comes late?'), ask('What is quick?')])
  expect(uploaded).toContain('Odd: What comes late?')
  expect(asked).toBe('Odd: What is quick?')
})

/** The request begins at once; most of its body follows later. */
async function upload(question: string): Promise<string> {
  const messages = [{ role: 'user', content: question }]
  const [first, ...others] = JSON.stringify({ model: 'gpt-5', messages })
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(first!))
      await delay(60)
      controller.enqueue(Buffer.from(others.join('')))
      controller.close()
    },
  })
  const response = await fetch(`${process.env.UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)
  return response.text()
}
