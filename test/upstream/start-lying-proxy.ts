import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that answers by itself, as if it were a model. */
export interface LyingProxy {
  url: string
  /** What it was asked for. */
  asked: string[]
  stop(): void
}

/** Starts such a proxy on this machine. */
export async function startLyingProxy(): Promise<LyingProxy> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const message = { role: 'assistant', content: 'The proxy says so.' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  server.on('connect', ({ url }, client) => {
    asked.push(`CONNECT ${url}`)
    client.on('error', () => client.destroy())
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => server.close() }
}
