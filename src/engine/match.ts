import type { Cassette, Exchange } from '../cassette/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { readIncoming, type Incoming } from './incoming.ts'

/** An exchange of the cassette, and whether this attempt has been given its answer. */
export interface Recorded {
  exchange: Exchange
  incoming: Incoming
  played: boolean
}

/** The exchanges of a cassette by prompt hash. Each answers once, in the order recorded. */
export class Matcher {
  readonly recorded: Recorded[]
  readonly #byHash: Map<string, Recorded[]> = new Map()

  /** @param volatile what may vary between runs; recorded prompts are read by the rules of today */
  constructor(cassette: Cassette | undefined, volatile: readonly VolatileRule[]) {
    const hashes = new Map<string, string>()
    this.recorded = (cassette?.exchanges ?? []).map((exchange) => {
      const { request } = exchange.wire
      const after = request.after === undefined ? undefined : hashes.get(request.after)
      const incoming = readIncoming(request, volatile, after)
      hashes.set(exchange.id, incoming.hash)
      return { exchange, incoming, played: false }
    })
    for (const entry of this.recorded) {
      const same = this.#byHash.get(entry.incoming.hash)
      if (same) same.push(entry)
      else this.#byHash.set(entry.incoming.hash, [entry])
    }
  }

  /** The next unused exchange that answers a prompt; where it may, the last one answers for ever. */
  next(hash: string, lastRepeats: boolean): Recorded | undefined {
    const same = this.#byHash.get(hash)
    return same?.find((entry) => !entry.played) ?? (lastRepeats ? same?.at(-1) : undefined)
  }

  /** How many exchanges answer a prompt, used or not. */
  count(hash: string): number {
    return this.#byHash.get(hash)?.length ?? 0
  }

  get unused(): Recorded[] {
    return this.recorded.filter((entry) => !entry.played)
  }
}
