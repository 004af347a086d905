import dns from 'node:dns'
import type { IncomingMessage, Server } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { networkInterfaces } from '../../real/os.ts'
import type { Duplex } from 'node:stream'
import { CassetteError } from '../../errors.ts'
import { hostInUrl } from '../intercept/patch/dial.ts'
import { pairsOf } from '../intercept/http/headers.ts'

/**
 * Listens before this returns. Node looks up even an IP address asynchronously, and code that starts a process cannot
 * wait for that.
 */
export function listenAtOnce(server: Server, port: number): void {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const hasIPv4 = addresses.some(({ family, internal }) => internal && family === 'IPv4')
  const { lookup } = dns
  dns.lookup = lookUpNumber as typeof lookup
  try {
    server.listen({ port, host: hasIPv4 ? '127.0.0.1' : '::1', exclusive: true })
  } finally {
    dns.lookup = lookup
  }
}

/** The origin at which a server listens; `undefined` where it may not. */
export function originOfServer(server: Server): string | undefined {
  const bound = server.address() as AddressInfo | null
  return bound ? `http://${hostInUrl(bound.address)}:${bound.port}` : undefined
}

/** Answers in both forms that the releases of Node use: one address, or all. */
function lookUpNumber(address: string, ...rest: unknown[]): void {
  const done = rest.at(-1) as (error: null, found: unknown, family?: number) => void
  const family = isIP(address)
  const [options] = rest as [{ all?: boolean }]
  if (options.all) done(null, [{ address, family }])
  else done(null, address, family)
}

/** The error of a port that could not be opened. */
export function notOpened({ message, code }: NodeJS.ErrnoException, port: number): CassetteError {
  const wayOut =
    code === 'EADDRINUSE'
      ? `Another program listens on port ${port}: name another with --listen, or leave it out.`
      : 'Requests of programs started here are not answered: their base URLs lead nowhere, and requests that bypass these are neither recorded nor refused. Let this process listen on the loopback interface.'
  return new CassetteError(
    'refused',
    `The gateway for other programs could not be opened: ${message}.\n${wayOut}`,
  )
}

/** The first bytes of a client that speaks HTTP/2 without TLS, and without asking first. */
const PREFACE = 'PRI * HTTP/2'

/**
 * Takes connections from a server of HTTP/1 whose clients speak HTTP/2. Node's server breaks them off without an
 * answer.
 */
export function takeHttp2(server: Server, serve: (connection: Duplex) => void): void {
  const [accept] = server.listeners('connection') as [(connection: Duplex) => void]
  server.off('connection', accept)
  server.on('connection', (connection: Duplex & { alpnProtocol?: string | false | null }) => {
    connection.on('error', () => {})
    connection.once('readable', () => {
      const first = connection.read() as Buffer | null
      if (first !== null) connection.unshift(first)
      const begins = first?.toString('latin1').startsWith(PREFACE)
      const isHttp2 = connection.alpnProtocol === 'h2' || begins
      if (isHttp2) serve(connection)
      else accept.call(server, connection)
    })
  })
}

/** The headers, and the options of a connection, that offer another protocol. */
const OFFER = /^(?:upgrade|http2-settings)$/i

/**
 * Hands a request back to its server without its offer to change the protocol, which a server may ignore. Java's
 * client offers HTTP/2 with each request, and Node then leaves the request to the listener of `upgrade`.
 *
 * @param head the bytes after the headers
 */
export function declineUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (const [name, value] of pairsOf(rawHeaders)) {
    const options = value.split(/\s*,\s*/).filter((option) => !OFFER.test(option))
    const kept = name.toLowerCase() === 'connection' ? options.join(', ') : value
    if (!OFFER.test(name) && kept !== '') lines.push(`${name}: ${kept}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
