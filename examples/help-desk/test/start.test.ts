import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, test } from 'vitest'
import { question } from './question'

let server: ChildProcess
let url: string

// Asks as `next build` has built it. Not by npx, which would leave it running.
beforeAll(async () => {
  const words = ['node_modules/next/dist/bin/next', 'start', '-p', '0']
  server = spawn('node', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  url = await new Promise((resolve, reject) => {
    let printed = ''
    server.stdout!.on('data', (text) => {
      printed += text
      const [address] = /http:\/\/localhost:\d+/.exec(printed) ?? []
      if (address && printed.includes('Ready')) resolve(address)
    })
    server.once('exit', () => reject(new Error(`The server has ended: ${printed}`)))
  })
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
