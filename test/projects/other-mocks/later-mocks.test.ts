import { once } from 'node:events'
import nodeHttp, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import axios from 'axios'
import got from 'got'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Clients over `node:http`, which keep their connections. */
const clients: Record<string, (url: string) => Promise<string>> = {
  request: (url) =>
    new Promise((resolve, reject) => {
      const asked = nodeHttp.request(url, { method: 'POST' }, async (response) =>
        resolve((await response.toArray()).join('')),
      )
      asked.on('error', reject).end('{}')
    }),
  axios: async (url) => (await axios.post<string>(url, {}, { adapter: 'http' })).data,
  got: (url) => got.post(url, { json: {}, retry: { limit: 0 } }).text(),
}

let own: Server
let local: string
const shop = 'http://shop.invalid/price'

beforeAll(async () => {
  own = createServer((_, response) => response.end('real'))
  await once(own.listen(0), 'listening')
  local = `http://localhost:${(own.address() as AddressInfo).port}/price`
})
afterAll(() => void own.close())

/** A call to a model opens the network of MSW. */
async function askModel(): Promise<string> {
  const messages = [{ role: 'user', content: 'Who?' }]
  const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
  const { data } = await axios.post(url, { model: 'gpt-5', messages }, { adapter: 'http' })
  return data.choices[0].message.content
}

test.each(Object.entries(clients))('mocks for %s answer while they listen', async (_, ask) => {
  const mocks = [local, shop].map((url) =>
    http.post(url, async ({ request }) => HttpResponse.text(`mocked ${await request.text()}`)),
  )
  const server = setupServer(...mocks)
  expect(await askModel()).toBe('Odd: Who?')
  expect(await ask(local)).toBe('real')
  for (let time = 0; time < 2; time++) {
    server.listen()
    for (const url of [local, local, shop, shop]) expect(await ask(url)).toContain('mocked {}')
    expect(await askModel()).toBe('Odd: Who?')
    for (const url of [local, shop]) expect(await ask(url)).toContain('mocked {}')
    server.close()
    expect(await ask(local)).toBe('real')
    await expect(ask(shop)).rejects.toThrow(/getaddrinfo/)
  }
})
