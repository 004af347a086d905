import { type Cassette, isRecorded, type RecordedExchange } from '../cassette/cassette.ts'
import { type AskedCassette, isWrittenIn, sameBody } from '../cassette/decode.ts'
import { sameJson } from '../json/key-order.ts'
import { withoutHeaders } from '../providers/asking-headers.ts'
import { readText } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

/** All of a request that is stored and compared, but for its body. */
export type RequestHead = Omit<WireRequest, 'body'>

/**
 * A cassette of recorded exchanges, while all that is asked is what was recorded: word for word, and in its order. Most
 * tests ask nothing else. For the first other request, and for any other cassette, a session goes on from here.
 */
export class Verbatim {
  readonly #opened: AskedCassette
  readonly #isFit: boolean
  /** The numbers of the requests so far; each was answered by the exchange in its place. */
  readonly orders: number[] = []

  constructor(opened: AskedCassette) {
    this.#opened = opened
    this.#isFit = isOnlyRecorded(opened.cassette)
  }

  /** The whole cassette; `undefined` where the rest of its file is broken. */
  get cassette(): Cassette | undefined {
    return this.#readTo(Infinity) === 'broken' ? undefined : this.#opened.cassette
  }

  /** The exchange whose turn it is, if it was recorded for a request with this head and this text. */
  next(head: RequestHead, text: string): RecordedExchange | undefined {
    const at = this.orders.length
    if (!this.#isFit || this.#readTo(at) !== 'there') return undefined
    const exchange = this.#opened.cassette.exchanges[at]!
    if (!isRecorded(exchange)) return undefined
    const { request } = exchange.wire
    if (request.imported || !isSameHead(request, head)) return undefined
    // The text is read only where it is spelled in another way.
    const isAsked = isWrittenIn(request, text) || sameBody(request, readText(text, false))
    return isAsked ? exchange : undefined
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
    return this.wasAsked && this.#readTo(this.orders.length) === 'none'
  }

  /** The exchanges that were played. */
  get replayed(): RecordedExchange[] {
    return this.#opened.cassette.exchanges.slice(0, this.orders.length) as RecordedExchange[]
  }

  /** Reads the file up to an exchange, and tells whether there is one. */
  #readTo(index: number): 'there' | 'none' | 'broken' {
    const { cassette, readOn } = this.#opened
    try {
      while (cassette.exchanges.length <= index) if (!readOn()) return 'none'
      return 'there'
    } catch {
      return 'broken'
    }
  }
}

/** Whether the recorded requests alone decide which answers a cassette gives. */
function isOnlyRecorded({ invalid, params, proposedParams, exchanges }: Cassette): boolean {
  const isPlain = (invalid ?? params ?? proposedParams) === undefined
  return isPlain && exchanges.every((one) => isRecorded(one) && !one.wire.request.after)
}

/** Whether two requests are equal, word for word. If true, their hashes are the same. */
export function isSameRequest(recorded: WireRequest, sent: WireRequest): boolean {
  const asked = recorded.imported?.unknown?.includes('headers') ? withoutHeaders(sent) : sent
  return isSameHead(recorded, asked) && sameBody(recorded, asked.body)
}

function isSameHead(recorded: RequestHead, asked: RequestHead): boolean {
  return (
    recorded.url === asked.url &&
    recorded.method === asked.method &&
    recorded.after === asked.after &&
    sameJson(recorded.headers ?? null, asked.headers ?? null)
  )
}
