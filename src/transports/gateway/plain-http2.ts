import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The first bytes of a client that speaks HTTP/2 without TLS, and without asking first. */
const PREFACE = 'PRI * HTTP/2'

/**
 * Takes connections from a server of HTTP/1 whose clients speak HTTP/2 without TLS. Node's server breaks them off
 * without an answer.
 */
export function takeHttp2(server: Server, serve: (connection: Duplex) => void): void {
  const [accept] = server.listeners('connection') as [(connection: Duplex) => void]
  server.off('connection', accept)
  server.on('connection', (connection: Duplex) => {
    connection.on('error', () => {})
    connection.once('readable', () => {
      const first = connection.read() as Buffer | null
      if (first !== null) connection.unshift(first)
      const isHttp2 = first?.toString('latin1').startsWith(PREFACE)
      if (isHttp2) serve(connection)
      else accept.call(server, connection)
    })
  })
}
