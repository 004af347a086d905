import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pairsOf } from '../intercept/http/headers.ts'
import { dialHost } from '../intercept/patch/dial.ts'
import {
  authorization,
  connectTo,
  openTunnelFor,
  type OwnProxies,
  proxyFor,
} from '../intercept/patch/own-proxies.ts'
import { runInScope } from '../scope.ts'

/** Sends a request on that a program sent through a proxy, and that is no LLM call. Changes no byte of it. */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: string,
  own: OwnProxies,
): Promise<void> {
  const address = new URL(url)
  const proxy = proxyFor(address, own)
  const fields = pairsOf(incoming.rawHeaders).filter(([name]) => !/^proxy-/i.test(name))
  const named = proxy ? [...fields, ...Object.entries(authorization(proxy))] : fields
  const asked = runInScope('upstream', () =>
    request({
      method: incoming.method,
      path: proxy ? url : address.pathname + address.search,
      headers: named.flat(),
      setHost: false,
      createConnection: () => (proxy ? connectTo(proxy) : dialHost(address, 80)),
    }),
  )
  asked.on('response', (response) => {
    const { statusCode = 502, statusMessage, rawHeaders } = response
    outgoing.writeHead(statusCode, statusMessage, rawHeaders)
    void pipeline(response, outgoing).catch(() => outgoing.destroy())
  })
  outgoing.once('close', () => asked.destroy())
  asked.on('error', ({ message }) => {
    if (outgoing.headersSent) return void outgoing.destroy()
    outgoing.writeHead(502).end(`${address.host} was not reached: ${message}\n`)
  })
  await pipeline(incoming, asked).catch(() => asked.destroy())
}

/** Opens a tunnel for a program, through the proxies of the user. Resolves to whether it is open. */
export async function openTunnel(
  authority: string,
  client: Duplex,
  head: Buffer,
  own: OwnProxies,
): Promise<boolean> {
  let server: Socket
  try {
    server = await runInScope('upstream', () => reach(authority, own))
  } catch (error) {
    // Programs show the status line of a proxy's answer.
    const said = `No tunnel to ${authority}: ${(error as Error).message}`.replaceAll(
      /[^ -~]+/g,
      ' ',
    )
    client.end(`HTTP/1.1 502 ${said}\r\n\r\n`)
    return false
  }
  server.on('error', () => client.destroy())
  server.on('close', () => client.destroy())
  client.on('close', () => server.destroy())
  if (client.destroyed) {
    server.destroy()
    return false
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  server.write(head)
  server.pipe(client).pipe(server)
  return true
}

async function reach(authority: string, own: OwnProxies): Promise<Socket> {
  const address = new URL(`https://${authority}`)
  const tunnel = openTunnelFor(address, own)
  if (tunnel) return tunnel
  const socket = dialHost(address, 443)
  await once(socket, 'connect')
  return socket
}
