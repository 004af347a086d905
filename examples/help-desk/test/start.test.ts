import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, test } from 'vitest'
import { question } from './question'

let server: ChildProcess
let url: string

// What `next build` has built.
beforeAll(async () => {
  // Not by npx, which would leave it running.
  server = spawn('node', ['node_modules/next/dist/bin/next', 'start', '-p', '0'])
  for await (const line of server.stdout!) {
    url = /http:\/\/localhost:\d+/.exec(String(line))?.[0] ?? url
    if (String(line).includes('Ready')) break
  }
}, 60_000)

afterAll(async () => {
  server.kill()
  await once(server, 'close')
})

test.concurrent.for([
  [7, '3 May'],
  [8, 'your payment'],
] as const)('it answers for order %d', async ([order, text], { cassette, expect }) => {
  const body = question(`Where is my order ${order}?`)
  // The headers say for which test the server asks.
  const { headers } = cassette
  const answer = await fetch(`${url}/api/chat`, { method: 'POST', headers, body })

  const said = (await answer.text()).matchAll(/"delta":"([^"]*)"/g)
  expect([...said].map(([, delta]) => delta).join('')).toContain(text)
  expect(cassette).toHaveCalledTool('look_up_order', { order })
})
