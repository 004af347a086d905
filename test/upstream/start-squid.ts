import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy as Squid is set by default: it opens tunnels to port 443 alone, and sends on what is not encrypted. */
export interface Squid {
  url: string
  /** The first lines of the requests that it got, with what authenticates the user. */
  asked: string[]
  stop(): void
}

/** Starts such a proxy on this machine. @param to the server that stands for every host */
export async function startSquid(to: string): Promise<Squid> {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const { 'proxy-authorization': user, ...fields } = headers
    asked.push(`${method} ${url} ${headers.host} ${user}`)
    const { pathname, search } = new URL(url)
    const sent = request(`${to}${pathname}${search}`, { method, headers: fields }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(sent)
  })
  server.on('connect', ({ url }, client) => {
    asked.push(`CONNECT ${url}`)
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => server.close(),
  }
}
