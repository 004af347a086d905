import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { pairsOf } from '../intercept/http/http2-origin.ts'

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
