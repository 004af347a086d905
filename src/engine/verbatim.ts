import { type Cassette, isRecorded, type RecordedExchange } from '../cassette/cassette.ts'
import { sameBody } from '../cassette/decode.ts'
import { sameJson } from '../json/key-order.ts'
import { withoutHeaders } from '../providers/asking-headers.ts'
import type { WireRequest } from '../wire/message.ts'

/**
 * A cassette of recorded exchanges, while all that is asked is what was recorded: word for word, and in its order. Most
 * tests ask nothing else. For the first other request, a session goes on from here.
 */
export class Verbatim {
  readonly cassette: Cassette
  /** The numbers of the requests so far; each was answered by the exchange in its place. */
  readonly orders: number[] = []

  constructor(cassette: Cassette) {
    this.cassette = cassette
  }

  /** The exchange whose turn it is, if it was recorded for this request. */
  next(sent: WireRequest): RecordedExchange | undefined {
    const exchange = this.cassette.exchanges[this.orders.length]
    if (!exchange || !isRecorded(exchange)) return undefined
    const { request } = exchange.wire
    const isWhole = !request.older && !request.imported
    return isWhole && isSameRequest(request, sent) ? exchange : undefined
  }

  /** Counts the exchange whose turn it is as played. */
  play(order: number): void {
    this.orders.push(order)
  }

  get wasAsked(): boolean {
    return this.orders.length > 0
  }

  /** True once every exchange was played. */
  get isDone(): boolean {
    return this.wasAsked && this.orders.length === this.cassette.exchanges.length
  }

  /** The exchanges that were played. */
  get replayed(): RecordedExchange[] {
    return this.cassette.exchanges.slice(0, this.orders.length) as RecordedExchange[]
  }
}

/** Whether two requests are equal, word for word. If true, their hashes are the same. */
export function isSameRequest(recorded: WireRequest, sent: WireRequest): boolean {
  const asked = recorded.older ? withoutHeaders(sent) : sent
  return (
    recorded.url === asked.url &&
    recorded.method === asked.method &&
    recorded.after === asked.after &&
    sameJson(recorded.headers ?? null, asked.headers ?? null) &&
    sameBody(recorded, asked)
  )
}
