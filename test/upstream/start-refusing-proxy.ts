import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A proxy that lets nobody through, as those of companies refuse addresses of this machine. */
export interface RefusingProxy {
  url: string
  /** All bytes that it got. */
  got(): string
  stop(): void
}

/** Starts such a proxy on this machine. */
export async function startRefusingProxy(): Promise<RefusingProxy> {
  let got = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      got += bytes.toString()
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, got: () => got, stop: () => server.close() }
}
