import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { countNetwork } from '../patch/outside-of-msw.ts'

/** Who answers what the network sees; `undefined` lets it pass. */
export interface NetworkAnswers {
  answer(request: Request): Promise<Response | undefined>
  /** Answers a client that wants a tunnel to `<host>:<port>`. */
  answerTunnel(authority: string): Response | undefined
}

/**
 * Opens MSW's network over an interceptor at the socket. It is not `setupServer`, which a user's own server
 * would silence, and it sees clients built before it. Returns what closes it.
 */
export function openNetwork({ answer, answerTunnel }: NetworkAnswers): () => void {
  const interceptor = new HttpRequestInterceptor()
  // MSW's handlers are not asked for a tunnel, whose address is no URL.
  interceptor.on('request', ({ request, controller }) => {
    const tunnel = request.method === 'CONNECT' ? answerTunnel(request.url) : undefined
    if (tunnel) controller.respondWith(tunnel)
  })
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [interceptor] })],
    handlers: [http.all('*', ({ request }) => answer(request))],
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
  network.enable()
  const uncount = countNetwork()
  return () => {
    network.disable()
    uncount()
  }
}
