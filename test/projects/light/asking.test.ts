import { writeFileSync } from 'node:fs'
import { test } from 'vitest'

const { UPSTREAM_URL = 'https://api.openai.com' } = process.env
const messages = [{ role: 'user', content: 'Hi' }]

test('asks a model', async () => {
  writeFileSync('asking.json', JSON.stringify({ pid: process.pid }))
  const body = JSON.stringify({ model: 'gpt-5', messages })
  const response = await fetch(`${UPSTREAM_URL}/v1/chat/completions`, { method: 'POST', body })
  await response.text()
})
