import { CassetteError } from '../../../errors.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import type { Gateways } from '../../child-environment.ts'
import { currentScope, failing, scopes } from '../../scope.ts'
import type { Answering } from '../entrances.ts'
import type { JudgeConnection } from '../guard/guard-policy.ts'
import type { TestRules } from '../guard/test-rules.ts'
import { interceptFetch } from '../patch/intercept-fetch.ts'
import { bridgeHttp } from './bridge-http.ts'
import { guardBunChildren } from './bun-children.ts'
import { fetchPastGateway, guardBunSockets, openNativeWay } from './native-clients.ts'
import { openSocketWay } from './web-sockets.ts'
import type { Attempt } from '../../../attempt/attempt.ts'

/** The first Bun whose `node:http` is built on the sockets of `node:net`, as that of Node is. */
const SINCE = '1.4.0'

/**
 * Opens every entrance by which a request can reach its answer in Bun, whose clients are not those of Node. Returns a
 * function for each that closes it, in their order.
 *
 * @throws CassetteError `refused` in an older Bun, where some requests would reach the provider
 */
export function openBun(
  answering: Answering,
  rules: () => TestRules,
  gateways: Gateways,
): Array<() => void> {
  refuseOldBun()
  const { taking, calls } = answering
  const answer = (request: Request): Promise<Response> => taking().answerOrSend(answering, request)
  const isTaken = (method: string, url: string): boolean => {
    const scope = currentScope()
    return scope !== 'upstream' && answering.judge(method, url, scope) !== 'no'
  }
  const way = {
    isLlmSocket: (url: URL) => currentScope() !== 'upstream' && answering.isLlmSocket(url),
    base: () => baseHere(gateways),
    refuse,
  }
  const judge: JudgeConnection = (connection) => rules().refusalOf(connection)
  return [
    interceptFetch(answering, calls, fetchPastGateway),
    bridgeHttp({ isTaken, answer }),
    replaceOnce(builtin('node:http2'), 'connect', (connect) =>
      taking().bridgeHttp2(
        connect,
        (method, url) => answering.judge(method, url, currentScope()),
        answer,
      ),
    ),
    openSocketWay(way),
    guardBunSockets(judge),
    guardBunChildren(() => rules().children),
    openNativeWay(),
  ]
}

/** @throws CassetteError `refused` where no port can be opened, and outside of all tests */
function baseHere(gateways: Gateways): string {
  const scope = currentScope()
  const base = typeof scope === 'object' ? gateways.for(scope)?.base : undefined
  return (
    base ??
    refuse(
      'A WebSocket to a model was opened where no test is known, or no port can be opened on this machine.',
    )
  )
}

/** @throws CassetteError `refused`, which fails the test too */
const refuse: (text: string) => never = failing((text) => {
  throw new CassetteError('refused', text)
})

/** @throws CassetteError `refused` */
function refuseOldBun(): void {
  const [own, needed] = [process.versions.bun!, SINCE].map((version) =>
    version.split('.').map(Number),
  )
  const isOld = own!.map((part, at) => part - needed![at]!).find((difference) => difference !== 0)
  if (isOld === undefined || isOld > 0) return
  throw new CassetteError(
    'refused',
    `This is Bun ${process.versions.bun}, and cassettes need ${SINCE} or newer: in older ones, what \`node:http\` sends can be neither recorded nor refused.\n` +
      'Update it (bun upgrade), or answer the tests from outside: npx vitest-cassette run -- bun test',
  )
}

/**
 * Lets a function tell the owner of requests that no test made, for a runner that does not say when it begins a file.
 * Returns what ends this.
 */
export function followFileScope(tell: () => Attempt): () => void {
  const plain = { configurable: true, enumerable: true }
  Object.defineProperty(scopes, 'ofFile', { ...plain, get: tell, set() {} })
  return () =>
    void Object.defineProperty(scopes, 'ofFile', { ...plain, writable: true, value: undefined })
}
