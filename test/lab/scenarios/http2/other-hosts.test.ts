import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

const server = http2.createServer((request, response) => {
  response.end(`${request.method} ${request.url}: nothing to do with a model`)
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

test('speaks HTTP/2 to a server that is no provider', async () => {
  const { port } = server.address() as AddressInfo
  const session = http2.connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': '/orders/7' })
  let text = ''
  for await (const chunk of stream) text += chunk
  session.close()
  expect(text).toBe('GET /orders/7: nothing to do with a model')
  expect(session.socket?.remotePort ?? port).toBe(port)
})
