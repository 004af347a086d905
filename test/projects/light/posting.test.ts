import { writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'

const { UPSTREAM_URL = 'https://api.openai.com' } = process.env
const messages = [{ role: 'user', content: 'Hi' }]

test('asks a model over a socket', async () => {
  writeFileSync('posting.json', JSON.stringify({ pid: process.pid }))
  const body = JSON.stringify({ model: 'gpt-5', messages })
  const { request } = UPSTREAM_URL.startsWith('https:') ? https : http
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request(`${UPSTREAM_URL}/v1/chat/completions`, { method: 'POST' }, resolve)
      .on('error', reject)
      .end(body)
  })
  await text(response)
})
