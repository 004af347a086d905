import { serveHttp2 } from '../../../../src/transports/intercept/http/http2-server.ts'
import {
  openNetwork,
  type NetworkAnswers,
} from '../../../../src/transports/intercept/http/network.ts'
import {
  ConnectionTaker,
  type Taker,
} from '../../../../src/transports/intercept/connection/take-connections.ts'
import { hookConnections } from '../../../../src/transports/intercept/patch/hook-connections.ts'

/** The host of which every request is answered. */
export const CERTAIN = 'llm.example.com'

/** Answers requests of all clients by connections, as the entrances do. Returns a function that ends it. */
export function openConnections(
  answer: NetworkAnswers['answer'],
  rules: Partial<Pick<Taker, 'isCertain' | 'isOurs' | 'isOurTunnel'>> = {},
): () => void {
  const isCertain = (origin: string): boolean => new URL(origin).hostname === CERTAIN
  const network = openNetwork({
    answer,
    refuseTunnel: () => undefined,
    serveHttp2: (connection, origin) =>
      serveHttp2(connection, origin, async (request) => (await answer(request))!),
  })
  const taker = new ConnectionTaker({
    isCertain,
    isOurs: (method, url) => method !== 'GET' || /\/v1\//.test(url),
    isClosed: () => false,
    isOurTunnel: (authority) => isCertain(`https://${authority}`),
    accept: (connection, place) => network.accept(connection, place),
    close: () => network.close(),
    ...rules,
  })
  return hookConnections(() => taker)
}
