import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { createSecureServer } from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Authority } from '../../src/transports/gateway/authority.ts'

/** What some server of the world was asked. */
export interface AskedOfWorld {
  /** `https://api.openai.com/v1/models` */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** A proxy behind which every host of the world is, with certificates that nobody believes unasked. */
export interface World {
  /** Of the proxy, which wants to know its user. */
  proxy: string
  /** A file with the certificate of who vouches for all hosts. */
  trust: string
  /** The authorities to which tunnels were opened. */
  tunnels: string[]
  asked: AskedOfWorld[]
  stop(): void
}

/** Starts it. What is asked of any host is asked of one server. */
export async function startWorld(upstream: string): Promise<World> {
  const [tunnels, asked]: [string[], AskedOfWorld[]] = [[], []]
  const authority = new Authority()
  const folder = mkdtempSync(join(tmpdir(), 'world-'))
  const trust = join(folder, 'world.pem')
  writeFileSync(trust, authority.pem)
  const answer: RequestListener = async (incoming, outgoing) => {
    const { url = '', headers, method } = incoming
    const named = headers.host ?? (headers as Record<string, string>)[':authority']
    const path = new URL(url, 'https://any').pathname
    const body = await text(incoming)
    asked.push({ url: url.startsWith('http:') ? url : `https://${named}${url}`, headers, body })
    if (!path.startsWith('/v1/')) return void outgoing.end(`This is ${named}\n`)
    const { host: _, connection: __, ...rest } = headers
    const sent = Object.entries(rest).filter(([name]) => !/^:|transfer-encoding/.test(name))
    const forwarded = ask(upstream + path, { method, headers: Object.fromEntries(sent) })
    forwarded.end(body)
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage]
    const { 'transfer-encoding': ___, connection: ____, ...kept } = response.headers
    outgoing.writeHead(response.statusCode!, kept)
    response.pipe(outgoing)
  }
  const hosts = createSecureServer(
    {
      ...authority.credentialsFor('any.invalid'),
      allowHTTP1: true,
      SNICallback: (name, done) => done(null, authority.contextFor(name)),
    },
    answer as never,
  )
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.headers['proxy-authorization'] !== USER) return void outgoing.writeHead(407).end()
    void answer(incoming, outgoing as never)
  })
  proxy.on('connect', ({ url = '', headers }, client) => {
    client.on('error', () => {})
    if (headers['proxy-authorization'] !== USER)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    tunnels.push(url)
    const server = connect((hosts.address() as AddressInfo).port, '127.0.0.1')
    server.on('error', () => client.destroy())
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.pipe(server).pipe(client)
  })
  const servers: Server[] = [hosts as never, proxy]
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  return {
    proxy: `http://me:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    trust,
    tunnels,
    asked,
    stop() {
      for (const server of servers) server.close()
      proxy.closeAllConnections()
      rmSync(folder, { recursive: true })
    },
  }
}

const USER = `Basic ${Buffer.from('me:secret').toString('base64')}`
