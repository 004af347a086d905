import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { CassetteError } from '../../../errors.ts'
import { failing } from '../../scope.ts'
import { mockOnce } from '../patch/mocked-once.ts'
import { countNetwork } from '../patch/outside-of-msw.ts'
import { shieldAnswers } from './kept-connections.ts'

/** Answers the requests that the network sees; `undefined` lets one pass. */
export interface NetworkAnswers {
  answer(request: Request): Promise<Response | undefined>
  /** Refuses a client a tunnel to `<host>:<port>`; `undefined` permits it. */
  answerTunnel(authority: string): Response | undefined
}

/** Whether a global class does what MSW needs: without that, it lets requests pass, or never answers them. */
const WORKS: Record<string, () => boolean> = {
  URL: () => new URL('http://localhost/path').pathname === '/path',
  Headers: () => new Headers([['name', 'value']]).get('name') === 'value',
  Request: () => new Request('http://localhost/').method === 'GET',
  Response: () => new Response('text').status === 200,
}

function refuseFakes(): void {
  for (const [name, works] of Object.entries(WORKS)) {
    let isFake = true
    try {
      isFake = !works()
    } catch {
      // Then it is one.
    }
    if (isFake)
      throw new CassetteError(
        'refused',
        `The global ${name} is a fake, so no request can be read: restore it before the call. Nothing was sent.`,
      )
  }
}

/**
 * Opens MSW's network over an interceptor at the socket. Not `setupServer`, which a server of the user would silence.
 * It also sees clients that were built before it. Returns a function that closes it.
 */
export function openNetwork({ answer, answerTunnel }: NetworkAnswers): () => void {
  refuseFakes()
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
  const enable = (): void => {
    endLayers = mockOnce(() => network.enable())
  }
  const endShield = shieldAnswers(interceptor, enable, failing(refuseFakes))
  const uncount = countNetwork()
  return () => {
    endShield()
    endLayers()
    network.disable()
    endLayers()
    uncount()
  }
}
