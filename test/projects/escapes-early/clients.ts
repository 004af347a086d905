import { Agent, request as httpRequest } from 'node:http'
import OpenAI from 'openai'
import * as undici from 'undici'

const base = process.env.UPSTREAM_URL!
const path = '/v1/chat/completions'
const agent = new Agent({ keepAlive: true })
const earlyFetch = globalThis.fetch
const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${base}/v1`, maxRetries: 0 })

// Opens a connection for each of them, where the provider is there.
if (process.env.RECORD) {
  await (await fetch(`${base}/count`)).text()
  await (await undici.request(`${base}/count`)).body.text()
  await send('GET', '/count')
}

export const ask: Record<string, (question: string) => Promise<string>> = {
  async 'the SDK'(question) {
    const completion = await openai.chat.completions.create(JSON.parse(bodyOf(question)))
    return completion.choices[0]!.message.content!
  },
  async 'a reference to fetch'(question) {
    const answer = await earlyFetch(base + path, { method: 'POST', body: bodyOf(question) })
    return textOf(await answer.text())
  },
  async 'node:http by name, with an agent'(question) {
    return textOf(await send('POST', path, bodyOf(question)))
  },
  async 'npm undici'(question) {
    const { body } = await undici.request(base + path, { method: 'POST', body: bodyOf(question) })
    return textOf(await body.text())
  },
}

function send(method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(base + path, { method, agent }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
    request.on('error', reject).end(body)
  })
}

function bodyOf(question: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: question }] })
}

function textOf(answer: string): string {
  return JSON.parse(answer).choices[0].message.content
}
