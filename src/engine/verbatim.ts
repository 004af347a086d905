import { type Cassette, isRecorded, type RecordedExchange } from '../cassette/cassette.ts'
import { sameInOrder, sameJson } from '../json/key-order.ts'
import { withoutHeaders } from '../providers/asking-headers.ts'
import { type Body, readText, textOf } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

/** All of a request that is stored and compared, but for its body. */
export type RequestHead = Omit<WireRequest, 'body'>

/**
 * A cassette of recorded exchanges, while all that is asked is what was recorded: word for word, and in its order. Most
 * tests ask nothing else. For the first other request, and for any other cassette, a session goes on from here.
 */
export class Verbatim {
  readonly #cassette: Cassette
  readonly #isFit: boolean
  /** The numbers of the requests so far; each was answered by the exchange in its place. */
  readonly orders: number[] = []

  constructor(cassette: Cassette) {
    this.#cassette = cassette
    this.#isFit = isOnlyRecorded(cassette)
  }

  get cassette(): Cassette {
    return this.#cassette
  }

  /** The exchange whose turn it is, if it was recorded for a request with this head and this text. */
  next(head: RequestHead, text: string): RecordedExchange | undefined {
    const at = this.orders.length
    const exchange = this.#cassette.exchanges[at]
    if (!this.#isFit || !exchange || !isRecorded(exchange)) return undefined
    const { request } = exchange.wire
    if (request.imported || !isSameHead(request, head)) return undefined
    // The text is read only where it is spelled in another way.
    const { body } = request
    const isAsked = textOf(body) === text || sameBody(body, readText(text, false))
    // What looks like a placeholder in a request of this run is another text than a placeholder.
    return isAsked && !text.includes('REDACTED:') ? exchange : undefined
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
    return this.wasAsked && this.orders.length === this.#cassette.exchanges.length
  }

  /** The exchanges that were played. */
  get replayed(): RecordedExchange[] {
    return this.#cassette.exchanges.slice(0, this.orders.length) as RecordedExchange[]
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
  return isSameHead(recorded, asked) && sameBody(recorded.body, asked.body)
}

function isSameHead(recorded: RequestHead, asked: RequestHead): boolean {
  return (
    recorded.url === asked.url &&
    recorded.method === asked.method &&
    recorded.after === asked.after &&
    sameJson(recorded.headers ?? null, asked.headers ?? null)
  )
}

/** Whether two bodies have the same JSON, with the properties of schemas in the same order. */
function sameBody(recorded: Body, asked: Body): boolean {
  return (
    recorded.kind === 'json' && asked.kind === 'json' && sameInOrder(recorded.value, asked.value)
  )
}
