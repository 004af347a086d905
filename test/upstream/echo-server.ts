import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

/** A running echo server. */
export interface Echo {
  url: string
  /** What it got: a handshake of a WebSocket has no body. */
  arrived: Array<{ method: string; url: string; body?: string }>
  stop(): void
}

/** Starts a server that answers each request and each frame with what it saw of it. */
export async function startEchoServer(): Promise<Echo> {
  const arrived: Echo['arrived'] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    arrived.push({ method, url, body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, host: headers.host, body }))
  })
  new WebSocketServer({ server }).on('connection', (socket, { method = '', url = '', headers }) => {
    arrived.push({ method, url })
    const { host, 'sec-websocket-protocol': protocols = '' } = headers
    socket.on('message', (_data, isBinary) =>
      socket.send(JSON.stringify({ host, protocols, isBinary })),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Nothing waits for it at the end.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
