import { failHere } from '../../../../src/transports/scope.ts'
import { serveHttp2 } from '../../../../src/transports/intercept/http/http2-server.ts'
import { openNetwork } from '../../../../src/transports/intercept/http/network.ts'
import {
  ConnectionServer,
  type Served,
} from '../../../../src/transports/intercept/connection/serve-connection.ts'
import {
  ConnectionTaker,
  type Taker,
} from '../../../../src/transports/intercept/connection/take-connections.ts'
import { hookConnections } from '../../../../src/transports/intercept/patch/hook-connections.ts'

/** The host of which every request is answered. */
export const CERTAIN = 'llm.example.com'

/** Answers requests of all clients by connections, as the entrances do. Returns a function that ends it. */
export function openConnections(
  answer: (request: Request) => Promise<Response | undefined>,
  rules: Partial<Pick<Taker, 'isCertain' | 'isOurs' | 'isOurTunnel'>> = {},
  takeSocket: Served['takeSocket'] = () => false,
): () => void {
  const isCertain = (origin: string): boolean => new URL(origin).hostname === CERTAIN
  const network = openNetwork(answer)
  const server = new ConnectionServer({
    answer: (exchange) => network.take(exchange),
    fail: failHere,
    refuseTunnel: () => undefined,
    takeSocket,
    serveHttp2: (connection, origin) =>
      serveHttp2(connection, origin, async (request) => (await answer(request))!),
  })
  const taker = new ConnectionTaker({
    isCertain,
    isOurs: (method, url) => method !== 'GET' || /\/v1\//.test(url),
    isClosed: () => false,
    isOurTunnel: (authority) => isCertain(`https://${authority}`),
    accept: (connection, place) => server.accept(connection, place),
    close() {
      server.close()
      network.close()
    },
    ...rules,
  })
  return hookConnections(() => taker)
}
