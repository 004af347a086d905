import { comparedAddress, comparedAddresses, hostOf, isGateway } from '../engine/gateways.ts'
import type { Attempt } from './attempt.ts'

/** Whether an attempt made an LLM call to the host of a URL. If not, notes the request by its host. */
export function asksAt(attempt: Attempt, method: string, url: string): boolean {
  const host = hostOf(url)
  if (isGateway(host, attempt.arrived)) return true
  // Replay answers the CORS preflight of a page, so it does not pass.
  if (!['OPTIONS', 'CONNECT'].includes(method) && !attempt.passed.has(host))
    attempt.passed.set(host, `${method} ${url}`)
  return false
}

const NO_PLACES: ReadonlySet<string> = new Set()

/** The places of the exchanges in the cassette of an attempt, unless its answers are recorded afresh. */
export function heldPlaces({ held }: Attempt): ReadonlySet<string> {
  return held ? comparedAddresses(held) : NO_PLACES
}

/** Whether the cassette of an attempt holds an exchange with an address. Whatever is asked there is a call then. */
export function isHeld(attempt: Attempt, url: string): boolean {
  return heldPlaces(attempt).has(comparedAddress(url))
}

/** Whether an unused exchange of the cassette of an attempt was recorded at a host. */
export function wasRecordedAt({ session }: Attempt, host: string): boolean {
  return session.unused.some(({ exchange }) => hostOf(exchange.wire?.request.url ?? '') === host)
}
