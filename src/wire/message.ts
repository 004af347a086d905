import { KEPT_HEADERS, LEADING_HEADERS } from './answer-headers.ts'
import type { Body } from './body.ts'
import { keepLocation } from './url.ts'

/** A request as it is kept: no header and no query parameter that could hold a key. */
export interface WireRequest {
  method: string
  /** Scheme, host, path and the query parameters that count. */
  url: string
  /** The few headers that say what is asked, in lower case; absent where there are none. */
  headers?: Record<string, string>
  /** A release recorded it that kept less of a request; what it did not keep does not count. See `asOlder`. */
  older?: true
  /** The exchange before this one on the same socket, by its id; absent for all that is no socket. */
  after?: string
  body: Body
}

/** An answer as it is kept and replayed. */
export interface WireResponse {
  status: number
  /** Lower-case names; only those of the allow-list. */
  headers: Record<string, string>
  body: Body
  /** True when the connection broke before the answer ended; the replay breaks there too. */
  cut?: boolean
  /** Where the client gave up while it waited for more; a replay is silent from there on. */
  aborted?: Aborted
}

/** Before there were headers, or after so many pieces of the body. */
export type Aborted = 'before-headers' | number

/** Headers by their names in lower case. */
export interface NamedHeaders {
  get(name: string): string | null | undefined
}

/** The headers of an answer that are kept, by an allow-list. */
export function keepHeaders(headers: Headers): Record<string, string> {
  const kept = pick(headers, KEPT_HEADERS)
  for (const [name, address] of Object.entries(pick(headers, LEADING_HEADERS)))
    kept[name] = keepLocation(address)
  return kept
}

function pick(headers: NamedHeaders, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (typeof value === 'string') kept[name] = value
  }
  return kept
}
