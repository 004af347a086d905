import { isContextHeader } from '../context/request-context.ts'
import { outsideDispatcher, upstreamDispatcher } from '../patch/upstream-dispatchers.ts'
import { othersIntercept } from '../patch/outside-of-msw.ts'
import { nodeFetch } from './fetch-interceptor.ts'

/** Headers of one connection, which the next one makes for itself. */
const HOP_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]

/** The headers without those of one connection, for a request that is sent on. */
export function withoutHops(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return [...headers].filter(([name]) => !HOP_HEADERS.includes(name) && !isContextHeader(name))
}

/** Sends a request past interception. An MSW server of the user still sees it. */
export async function fetchPast(url: string, init: RequestInit): Promise<Response> {
  const [behind, dispatcher] = othersIntercept() ? [] : [nodeFetch(), outsideDispatcher()]
  if (behind && dispatcher) return behind(url, { ...init, dispatcher } as RequestInit)
  // MSW loads here, since replay does not need it.
  const { bypass } = await import('msw')
  return fetch(bypass(url, init), upstreamDispatcher())
}
