import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { runInScope } from '../scope.ts'
import { pairsOf } from '../intercept/http/http2-origin.ts'
import { dialHost } from '../intercept/patch/dial.ts'
import {
  authorization,
  connectTo,
  proxyFor,
  type OwnProxies,
} from '../intercept/patch/own-proxies.ts'

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
