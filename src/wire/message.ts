import type { Body } from './body.ts'
import type { Imported } from './imported.ts'

/** A request as it is kept: no header and no query parameter that could hold a key. */
export interface WireRequest {
  method: string
  /** Scheme, host, path and the query parameters that count. */
  url: string
  /** The few headers that change what a model does, in lower case; absent if there are none. */
  headers?: Record<string, string>
  /** Set where another tool recorded it, and its file does not tell all that is compared. */
  imported?: Imported
  /** The exchange before this one on the same socket, or the one after whose response it was sent, by its id. */
  after?: string
  body: Body
}

/** An answer as it is kept and replayed. */
export interface WireResponse {
  status: number
  /** Lower-case names; several cookies stand on a line each. */
  headers: Record<string, string>
  body: Body
  /** True when the connection broke before the answer ended; the replay breaks there too. */
  cut?: boolean
  /** When the client gave up while it waited for more; from there on, a replay sends nothing. */
  aborted?: Aborted
}

/** Before the headers, or after this number of pieces of the body. */
export type Aborted = 'before-headers' | number

/** Headers by their names in lower case. */
export interface NamedHeaders {
  get(name: string): string | null | undefined
}

/** The one header that comes several times, and cannot be joined: its values stand on a line each. */
export const SET_COOKIE = 'set-cookie'

/** Headers as a `Response` takes them. */
export function headerPairs(headers: Record<string, string>): Array<[name: string, value: string]> {
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split('\n').map((one): [string, string] => [name, one]),
  )
}
