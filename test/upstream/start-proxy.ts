import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

/** A proxy that opens tunnels. */
export interface Proxy {
  url: string
  /** The authorities that it was asked for. */
  asked: string[]
  stop(): void
}

/** Starts a proxy on this machine. */
export async function startProxy(): Promise<Proxy> {
  const asked: string[] = []
  const server = createServer()
  server.on('connect', ({ url }, client) => {
    asked.push(url!)
    const [host, port] = url!.split(':')
    const target = connect(Number(port), host)
    target.on('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(target).pipe(client)
    })
    for (const socket of [client, target]) socket.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => server.close(),
  }
}
