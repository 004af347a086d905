// The process of the test asks at the address that it has for its children.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { CHANGED = '' } = process.env
const upstream = process.env.OPENAI_BASE_URL!

test('by fetch', async ({ cassette }) => {
  const baseURL = cassette.baseUrl(upstream)
  const openai = new OpenAI({ apiKey: 'sk-test-key-that-is-not-one', baseURL, maxRetries: 0 })
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: `By fetch${CHANGED}` }],
  })
  expect(choices[0]!.message.content).toBe(`Odd: By fetch${CHANGED}`)
})

test('by node:http', async ({ cassette }) => {
  const body = JSON.stringify({
    model: 'gpt-5',
    messages: [{ role: 'user', content: `By node:http${CHANGED}` }],
  })
  const answer = await new Promise<string>((resolve, reject) => {
    const url = `${cassette.baseUrl(upstream)}/chat/completions`
    const headers = { 'content-type': 'application/json' }
    request(url, { method: 'POST', headers }, (response) => resolve(text(response)))
      .on('error', reject)
      .end(body)
  })
  expect(JSON.parse(answer).choices[0].message.content).toBe(`Odd: By node:http${CHANGED}`)
})
