import { closed, others } from '../context/request-context.ts'
import { sideRequestOf } from './side-request.ts'

/** Whether a request that is no LLM call is answered or noted nevertheless. */
export function isSeen(method: string, url: string): boolean {
  const address = URL.parse(url)
  if (!address) return false
  const isNoted = method === 'POST' && others.pass !== undefined
  return isNoted || sideRequestOf(address) !== undefined || (closed.isSeenAt?.(url) ?? false)
}
