import http from 'node:http'
import http2 from 'node:http2'
import OpenAI from 'openai'
import { request } from 'undici'

const { ODD_URL } = process.env
const url = `${ODD_URL}/v1/chat/completions`

function posted(content: string) {
  const messages = [{ role: 'user', content }]
  return { method: 'POST' as const, body: JSON.stringify({ model: 'gpt-5', messages }) }
}

/** Each asks, and resolves when the response begins; nothing reads its body. */
export const clients: Record<string, (text: string) => Promise<unknown>> = {
  fetch: (text) => fetch(url, posted(text)),
  undici: (text) => request(url, posted(text)),
  'node:http': (text) =>
    new Promise((resolve, reject) => {
      const { method, body } = posted(text)
      http.request(url, { method }, resolve).on('error', reject).end(body)
    }),
  http2: (text) =>
    new Promise((resolve) => {
      const session = http2.connect(ODD_URL!).on('error', () => {})
      const path = { ':method': 'POST', ':path': '/v1/chat/completions' }
      session.request(path).on('response', resolve).end(posted(text).body)
    }),
  openai: (text) => {
    const messages = [{ role: 'user' as const, content: text }]
    return new OpenAI({ apiKey: 'sk-none', baseURL: `${ODD_URL}/v1` }).chat.completions.create({
      model: 'gpt-5',
      messages,
      stream: true,
    })
  },
}
