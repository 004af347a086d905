import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openai } from './client.ts'

test('asks by node:http, in Köln', async () => {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }
  const text = await new Promise<string>((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } }
    request(`${process.env.UPSTREAM_URL}/v1/chat/completions`, options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
  expect(JSON.parse(text).choices[0].message.content).toBe('You said: Hello')
})

test('asks with the client of the other file', async () => {
  const { data } = await openai.embeddings.create({
    model: 'text-embedding-3-small',
    input: process.env.CHANGED === '1' ? 'Goodbye' : 'Hello',
  })
  expect(data[0]!.embedding).toHaveLength(3)
})
