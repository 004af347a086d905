import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { runInScope } from '../scope.ts'
import { dialHost } from '../intercept/patch/dial.ts'
import { openThrough, proxyFor, type OwnProxies } from '../intercept/patch/own-proxies.ts'

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
  const proxy = proxyFor(address, own)
  if (proxy) return openThrough(proxy, authority)
  const socket = dialHost(address, 443)
  await once(socket, 'connect')
  return socket
}
