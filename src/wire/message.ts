import type { Body } from './body.ts'

/** A request as it is kept: no headers, and no query parameter that could hold a key. */
export interface WireRequest {
  method: string
  /** Scheme, host, path and the query parameters that count. */
  url: string
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
}

/** Response headers that an application can depend on and that never identify an account. */
const KEPT_HEADERS = [
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-amzn-bedrock-content-type',
  'x-amzn-errortype',
  'x-should-retry',
]

/** The headers of an answer that are kept, by an allow-list. */
export function keepHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value
  }
  return kept
}
