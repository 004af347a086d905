import { env, exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ask } from './src/question'

test('asks beside an outboundService', async () => {
  expect(await ask('Outbound', env)).toBe('You said: Outbound')
  const response = await exports.default.fetch('http://worker.example/beside?q=Outbound too')
  expect(await response.text()).toBe('You said: Outbound too')
})

test('asks no model', async () => {
  const response = await fetch('https://weather.example/bern')
  expect(await response.text()).toBe('GET https://weather.example/bern')
})

test('opens a socket', async () => {
  const socket = new WebSocket(`${env.OPENAI_BASE_URL.replace('http', 'ws')}/realtime`)
  await new Promise((resolve) => {
    for (const event of ['open', 'error', 'close']) socket.addEventListener(event, resolve)
  })
})
