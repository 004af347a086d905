import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { mockOnce } from '../patch/mocked-once.ts'
import { countNetwork } from '../patch/outside-of-msw.ts'
import { shieldAnswers } from './kept-connections.ts'

/** Answers the requests that the network sees; `undefined` lets one pass. */
export interface NetworkAnswers {
  answer(request: Request): Promise<Response | undefined>
  /** Refuses a client a tunnel to `<host>:<port>`; `undefined` permits it. */
  answerTunnel(authority: string): Response | undefined
}

/**
 * Opens MSW's network over an interceptor at the socket. Not `setupServer`, which a server of the user would silence.
 * It also sees clients that were built before it. Returns a function that closes it.
 */
export function openNetwork({ answer, answerTunnel }: NetworkAnswers): () => void {
  // MSW lets requests pass that it cannot read.
  if (new Headers([['name', 'value']]).get('name') !== 'value')
    throw new TypeError('the global Headers is a fake, so no request can be read')
  const interceptor = new HttpRequestInterceptor()
  // The address of a tunnel is no URL, so MSW's handlers never see one.
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
  let endLayers = (): void => {}
  const endShield = shieldAnswers(interceptor, () => {
    endLayers = mockOnce(() => network.enable())
  })
  const uncount = countNetwork()
  return () => {
    endShield()
    network.disable()
    endLayers()
    uncount()
  }
}
