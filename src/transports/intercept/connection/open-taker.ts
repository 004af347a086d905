// Loaded at the first connection that may be ours: `layers.ts` names it.
import { inRealWorld } from '../../../real/real-world.ts'
import { currentScope, failing } from '../../scope.ts'
import { isSeen } from '../call/is-seen.ts'
import type { LlmCall } from '../call/judge-address.ts'
import { closed } from '../context/request-context.ts'
import { type Answering, answerIntercepted, answerOrSend } from '../entrances.ts'
import { serveHttp2 } from '../http/http2-server.ts'
import type { Network } from '../http/network.ts'
import { ConnectionTaker } from './take-connections.ts'

/** Takes connections for an entrance, whose network opens at the first of them. */
export function openTaker(answering: Answering): ConnectionTaker {
  let network: Network | undefined
  const open = failing(
    (): Network =>
      (network ??= inRealWorld(() =>
        answering.network().openNetwork({
          async answer(request) {
            const { writeInTurns } = answering.connections()
            const answered = await answerIntercepted(answering, request)
            return answering.calls().openToPages(await writeInTurns(answered))
          },
          refuseTunnel: (authority) => answering.tunnels().refuse(authority),
          serveHttp2: (connection, origin) =>
            serveHttp2(connection, origin, (request) => answerOrSend(answering, request)),
        }),
      )),
  )
  const judge = (method: string, url: string): LlmCall =>
    URL.canParse(url) ? answering.judge(method, url, currentScope()) : 'no'
  return new ConnectionTaker({
    isCertain: (origin) => judge('CONNECT', `${origin}/`) === 'certain',
    isOurs: (method, url) => judge(method, url) !== 'no' || isSeen(method, url),
    isClosed: (origin) => closed.isSeenAt?.(`${origin}/`) ?? false,
    isOurTunnel: (authority) => answering.tunnels().isOurs(authority),
    accept: (connection, place) => open().accept(connection, place),
    close: () => network?.close(),
  })
}
