import { loadPackage } from '../../../real/load-later.ts'
import { isInVmPool } from '../../../real/vm-pool.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { isContextHeader } from '../context/request-context.ts'
import { runInScope } from '../../scope.ts'
import { outsideDispatcher, upstreamDispatcher } from '../patch/upstream-dispatchers.ts'
import { othersIntercept } from '../patch/outside-of-msw.ts'
import { nodeFetch } from './fetch-interceptor.ts'

/** Hop-by-hop headers: they belong to one connection, and the next connection gets its own. */
const HOP_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]

/** Headers that no longer hold once fetch has decoded the body. */
const DECODED_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding']

/** The headers of a request that is sent on, without the hop-by-hop ones. */
export function withoutHopHeaders(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return [...headers].filter(([name]) => !HOP_HEADERS.includes(name) && !isContextHeader(name))
}

/** The options with which fetch sends a request on. A redirect is an answer, which the client follows. */
export function optionsToSendOn({ method, headers, body }: WholeRequest): RequestInit {
  const isEmpty = typeof body === 'string' ? body === '' : body.byteLength === 0
  return {
    method,
    headers: withoutHopHeaders(headers),
    body: isEmpty ? null : body,
    redirect: 'manual',
  }
}

/** The headers of an answer that hold for its decoded body. That to a HEAD has none, and names the size of another. */
export function decodedHeaders({ headers }: Response, method?: string): Headers {
  const decoded = new Headers([...headers])
  if (method !== 'HEAD') for (const name of DECODED_HEADERS) decoded.delete(name)
  return decoded
}

/** Sends a request past interception. An MSW server of the user still sees it. */
export function fetchPastInterception(url: string, init: RequestInit): Promise<Response> {
  return runInScope('upstream', async () => {
    const [behind, dispatcher] = othersIntercept() ? [] : [nodeFetch(), outsideDispatcher()]
    if (behind && dispatcher) return behind(url, { ...init, dispatcher } as RequestInit)
    // MSW loads here, since replay does not need it. In a vm pool, it has to make requests of the context of the test.
    const { bypass } = isInVmPool()
      ? await import('msw')
      : (loadPackage('msw') as typeof import('msw'))
    return fetch(bypass(url, init), upstreamDispatcher(url))
  })
}
