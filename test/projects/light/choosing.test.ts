import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { useCassette } from 'vitest-cassette'

const { UPSTREAM_URL = 'https://api.openai.com' } = process.env
const messages = [{ role: 'user', content: 'Hi' }]

useCassette({ repeats: 'last' })

test('asks a model with options of its own', async ({ cassette }) => {
  writeFileSync('choosing.json', JSON.stringify({ pid: process.pid }))
  cassette.use({ unused: 'warn', volatile: [/[0-9a-f]{32}/] })
  const body = JSON.stringify({ model: 'gpt-5', messages })
  const response = await fetch(`${UPSTREAM_URL}/v1/chat/completions`, { method: 'POST', body })
  await response.text()
})
