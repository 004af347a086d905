import { isContextHeader } from '../context/request-context.ts'
import { outsideDispatcher, upstreamDispatcher } from '../patch/dispatchers.ts'
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

/** The headers that go on with a request that is sent again. */
export function withoutHops(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return [...headers].filter(([name]) => !HOP_HEADERS.includes(name) && !isContextHeader(name))
}

/** Sends a request past interception. A server of the user, where there is one, may have a word in it. */
export async function fetchPast(url: string, init: RequestInit): Promise<Response> {
  const [behind, dispatcher] = othersIntercept() ? [] : [nodeFetch(), outsideDispatcher()]
  if (behind && dispatcher) return behind(url, { ...init, dispatcher } as RequestInit)
  // Replay does without it.
  const { bypass } = await import('msw')
  return fetch(bypass(url, init), upstreamDispatcher())
}
