import type { ResolvedConfig } from '../config/resolved-config.ts'
import { answer } from './answer/answer.ts'
import type { Answered } from './answer/answer-llm-call.ts'
import type { Layers } from './answer/layers.ts'
import type { PlainRequest } from './call/plain-request.ts'
import { dropIdleSockets } from './patch/dispatchers.ts'
import { atFirstConnection } from './patch/first-connection.ts'
import { answerTunnel, guardTests } from './guard/guard-tests.ts'
import { bridgeHttp2 } from './http/http2-bridge.ts'
import { interceptFetch } from './http/fetch-interceptor.ts'
import { closeIdleConnections } from './http/idle-connections.ts'
import { judgeHere } from './context/judge-here.ts'
import { isLlmSocket } from './call/llm-call.ts'
import { pace } from './answer/pace.ts'
import { openToPages } from './call/preflight.ts'
import { configHere, currentScope } from './context/scope.ts'
import { bridgeSockets } from './websocket/socket-bridge.ts'
import type { Gateways } from './redirect/environment.ts'
import { serveSocket } from './websocket/socket-server.ts'
import { closeWhenAnswered } from './context/open-requests.ts'
import { trackRequests, takeContext, type RequestContext } from './context/request-context.ts'
import { isInVmPool } from './patch/vm-pool.ts'
import { whenLoaded } from './patch/when-loaded.ts'
import { readWhole } from './call/whole-request.ts'

/** What is installed in this process; files that come later only change the configuration. */
let installed: { config: ResolvedConfig } | undefined

/** Where the way to end interception is, for every copy of this package in the process. */
const END = Symbol.for('vitest-cassette.end-judge')

type Ending = NodeJS.Process & { [END]?: () => void }

/**
 * Installs every entrance by which a request can reach its answer, once per process. Each is a thin watch that
 * loads what it needs when something comes along it.
 *
 * @param gateways answer what the children of tests ask, which without them are refused
 */
export function installInterception(
  config: ResolvedConfig,
  layers: Layers,
  gateways?: Gateways,
): void {
  if (installed) {
    installed.config = config
    return
  }
  // Those of an earlier file in a vm pool: until here they answered what it had not waited for.
  removeInterception()
  const state = (installed = { config })
  const isLlmCall = (method: string, url: string): boolean => {
    const config = configHere(state.config)
    return config.mode !== 'off' && judgeHere(method, url, currentScope(), config) !== 'no'
  }
  const answerHere = (request: Request | PlainRequest, context: RequestContext): Answered =>
    answer(request, context, state.config, layers)
  const answerIntercepted = async (request: Request): Promise<Response | undefined> => {
    const context = takeContext(request)
    return closeWhenAnswered(context.open, answerHere(request, context))
  }
  const isProvider = ({ href }: URL): boolean => {
    const config = configHere(state.config)
    return config.mode !== 'off' && judgeHere('GET', href, currentScope(), config) === 'certain'
  }
  const judge = { isProvider, isLlmCall }
  let closeNetwork: (() => void) | undefined
  const openNetwork = (): void => {
    closeNetwork ??= layers.network().openNetwork({
      answer: async (request) => openToPages(await pace(await answerIntercepted(request))),
      answerTunnel: (authority) => answerTunnel(authority, state.config),
    })
  }
  const ends = [
    trackRequests(isLlmCall),
    closeIdleConnections(isLlmCall),
    interceptFetch({
      isAnswered: isLlmCall,
      answer: answerHere,
    }),
    // Before MSW, so that only connections come to the guard that would really be made.
    guardTests(() => state.config, gateways),
    whenLoaded(['node:http2'], () =>
      bridgeHttp2(
        judge,
        async (request) =>
          (await pace(await answerIntercepted(request.clone()))) ??
          layers.engine().sendUpstream(await readWhole(request)),
      ),
    ),
    bridgeSockets({
      isLlmSocket(url) {
        const config = configHere(state.config)
        if (config.mode === 'off') return false
        const isLed = judgeHere('GET', url.href, currentScope(), config) === 'certain'
        return isLed || isLlmSocket(url, config)
      },
      connect: (isSecure, context) =>
        serveSocket(
          isSecure,
          context,
          (handshake) => void layers.engine().answerSocket(handshake, context),
        ),
    }),
    dropIdleSockets(),
    atFirstConnection(openNetwork),
    () => closeNetwork?.(),
    () => gateways?.close(),
  ]
  // A context of a vm pool can load nothing at once; its file has loaded all there is.
  if (isInVmPool()) openNetwork()
  const ending = process as Ending
  ending[END] = () => {
    for (const end of ends.toReversed()) end()
    installed = ending[END] = undefined
  }
}

/** Whether requests of this process are being answered. */
export function isInterceptionInstalled(): boolean {
  return (process as Ending)[END] !== undefined
}

/** Takes every entrance away again. */
export function removeInterception(): void {
  ;(process as Ending)[END]?.()
}
