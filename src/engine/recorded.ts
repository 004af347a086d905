import type { Cassette, Exchange } from '../cassette/format/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { WireRequest } from '../wire/message.ts'
import { readIncoming, type Incoming } from './incoming.ts'

/** An exchange of the cassette. */
export interface Recorded {
  exchange: Exchange
  /** The request that was recorded; absent where a person wrote the exchange. */
  incoming?: Incoming
  /** Set for an exchange imported from a context: the exchanges before it, whose conversation it continues. */
  earlier?: readonly Exchange[]
  /** How often this attempt replayed it. */
  played: number
}

/** The exchanges of a cassette, each with its request, whose forms are computed on first use. */
export function readRecorded(
  cassette: Cassette | undefined,
  volatile?: readonly VolatileRule[],
): Recorded[] {
  const reader = new RequestReader(volatile)
  return (cassette?.exchanges ?? []).map((exchange, index, all) => {
    if (!exchange.wire) {
      const goesOn = exchange.prompt.metadata.context !== undefined
      return { exchange, ...(goesOn ? { earlier: all.slice(0, index) } : {}), played: 0 }
    }
    return { exchange, incoming: reader.read(exchange.id, exchange.wire.request), played: 0 }
  })
}

/** Reads stored requests in order. On a socket, `after` names the request before. */
export class RequestReader {
  readonly #volatile?: readonly VolatileRule[]
  readonly #read: Map<string, Incoming> = new Map()

  /** @param volatile the rules for values that may vary between runs */
  constructor(volatile?: readonly VolatileRule[]) {
    this.#volatile = volatile
  }

  /** @param id the name by which the `after` of a later request refers to it */
  read(id: string, request: WireRequest): Incoming {
    const before = request.after === undefined ? undefined : this.#read.get(request.after)
    const incoming = readIncoming(request, { volatile: this.#volatile, before })
    this.#read.set(id, incoming)
    return incoming
  }
}
