import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { answerRequest } from './answer-request.ts'
import { guardTests } from './guard-tests.ts'
import { bridgeHttp2 } from './http2-bridge.ts'
import { judgeAddress } from './llm-call.ts'
import { stampRequests } from './stamp.ts'
import { sendUpstream } from './upstream.ts'

/** What is installed in this process; files that come later only change the configuration. */
let installed: { config: ResolvedConfig } | undefined

/**
 * Installs MSW's network over an interceptor at the socket, once per process. It is not
 * `setupServer`, which a user's own server would silence, and it sees clients built before it.
 */
export function installNetwork(config: ResolvedConfig): void {
  if (installed) {
    installed.config = config
    return
  }
  const state = (installed = { config })
  const isLlmCall = (method: string, url: string): boolean =>
    state.config.mode !== 'off' &&
    URL.canParse(url) &&
    judgeAddress(method, new URL(url), state.config) !== 'no'
  stampRequests(isLlmCall)
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
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [new HttpRequestInterceptor()] })],
    handlers: [http.all('*', ({ request }) => answerRequest(request, state.config))],
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
  network.enable()
  dropIdleSockets()
}

/** Sockets that fetch opened before are past interception; a new dispatcher has none. */
function dropIdleSockets(): void {
  const key = Symbol.for('undici.globalDispatcher.1')
  const dispatcher = (globalThis as Record<symbol, unknown>)[key]
  const Dispatcher = dispatcher?.constructor as (new () => unknown) | undefined
  if (Dispatcher?.name === 'Agent') (globalThis as Record<symbol, unknown>)[key] = new Dispatcher()
}
