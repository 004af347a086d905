import type { Cassette, Exchange } from '../cassette/format/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { Incoming } from './incoming.ts'
import { RequestReader } from './request-reader.ts'

/** An exchange of the cassette. */
export interface Recorded {
  exchange: Exchange
  /** The request that was recorded; absent where a person wrote the exchange. */
  incoming?: Incoming
  /** The exchanges before it, where it was made of a context that continues theirs. */
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
