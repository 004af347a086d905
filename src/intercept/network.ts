import { runInThisContext } from 'node:vm'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { answerRequest } from './answer-request.ts'
import { dropIdleSockets } from './dispatchers.ts'
import { answerTunnel, guardTests } from './guard-tests.ts'
import { bridgeHttp2 } from './http2-bridge.ts'
import { isLlmSocket, judgeAddress } from './llm-call.ts'
import { answerSocket } from './answer-socket.ts'
import { bridgeSockets } from './socket-bridge.ts'
import { serveSocket } from './socket-server.ts'
import { configHere } from './scope.ts'
import { stampRequests } from './stamp.ts'
import { openToPages } from './preflight.ts'
import { sendUpstream } from './upstream.ts'

/** What is installed in this process; files that come later only change the configuration. */
let installed: { config: ResolvedConfig } | undefined

/** Where the way to end interception is, for every copy of this package in the process. */
const END = Symbol.for('vitest-cassette.end-network')

type Ending = NodeJS.Process & { [END]?: () => void }

/**
 * Installs MSW's network over an interceptor at the socket, once per process. It is not
 * `setupServer`, which a user's own server would silence, and it sees clients built before it.
 */
export function installNetwork(config: ResolvedConfig): void {
  if (installed) {
    installed.config = config
    return
  }
  // That of a file in a vm pool which could not even be imported.
  endNetwork()
  const state = (installed = { config })
  const isLlmCall = (method: string, url: string): boolean =>
    configHere(state.config).mode !== 'off' &&
    URL.canParse(url) &&
    judgeAddress(method, new URL(url), configHere(state.config)) !== 'no'
  const endStamps = stampRequests(isLlmCall)
  // Before MSW, so that only connections come to the guard that would really be made.
  guardTests(() => state.config)
  bridgeHttp2(
    {
      isProvider: (origin) => isLlmCall('GET', origin.href),
      isLlmCall,
    },
    async (request) =>
      (await answerRequest(request.clone(), state.config)) ??
      sendUpstream(request, await request.arrayBuffer()),
  )
  bridgeSockets({
    isLlmSocket: (url) =>
      configHere(state.config).mode !== 'off' && isLlmSocket(url, configHere(state.config)),
    connect: (isSecure, stamp) =>
      serveSocket(isSecure, (handshake) => void answerSocket(handshake, stamp)),
  })
  const interceptor = new HttpRequestInterceptor()
  // MSW's handlers are not asked for a tunnel, whose address is no URL.
  interceptor.on('request', ({ request, controller }) => {
    const answer =
      request.method === 'CONNECT' ? answerTunnel(request.url, state.config) : undefined
    if (answer) controller.respondWith(answer)
  })
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [interceptor] })],
    handlers: [
      http.all('*', async ({ request }) => openToPages(await answerRequest(request, state.config))),
    ],
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
  network.enable()
  dropIdleSockets()
  const ending = process as Ending
  ending[END] = () => {
    endStamps()
    network.disable()
    installed = ending[END] = undefined
  }
}

/**
 * Ends a test file. In a vm pool interception ends with it: it lives in the context of the file, and
 * would answer for a file that is gone. Elsewhere clients outlive a file, and must stay intercepted.
 */
export function leaveFile(): void {
  if (runInThisContext('Object') !== Object) endNetwork()
}

function endNetwork(): void {
  ;(process as Ending)[END]?.()
}
