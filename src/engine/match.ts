import { isRecorded, type Cassette, type Exchange } from '../cassette/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { restoreHarmless } from '../secrets/restore-harmless.ts'
import { readIncoming, type Incoming } from './incoming.ts'
import { canBeWritten, isMeantFor } from './written.ts'

/** An exchange of the cassette, and whether this attempt has been given its answer. */
export interface Recorded {
  exchange: Exchange
  /** The request that was recorded; absent where a person wrote the exchange. */
  incoming?: Incoming
  played: boolean
}

/** The exchanges of a cassette by prompt hash. Each answers once, in the order recorded. */
export class Matcher {
  readonly recorded: Recorded[]
  readonly #byHash: Map<string, Recorded[]> = new Map()
  /** Those without a request; which one is meant only a prompt can tell. */
  readonly #written: Recorded[]
  readonly #volatile: readonly VolatileRule[]

  /** @param volatile what may vary between runs; recorded prompts are read by the rules of today */
  constructor(cassette: Cassette | undefined, volatile: readonly VolatileRule[]) {
    this.#volatile = volatile
    const hashes = new Map<string, string>()
    this.recorded = (cassette?.exchanges ?? []).map((exchange) => {
      if (!exchange.wire) return { exchange, played: false }
      const { request } = exchange.wire
      const after = request.after === undefined ? undefined : hashes.get(request.after)
      const incoming = readIncoming(request, volatile, after)
      hashes.set(exchange.id, incoming.hash)
      return { exchange, incoming, played: false }
    })
    for (const entry of this.recorded) {
      if (!entry.incoming) continue
      const hash = this.#hashHere(entry.incoming)
      const same = this.#byHash.get(hash)
      if (same) same.push(entry)
      else this.#byHash.set(hash, [entry])
    }
    this.#written = this.recorded.filter(({ incoming }) => !incoming)
  }

  /**
   * The next unused exchange that answers a prompt; where it may, the last one answers for ever.
   *
   * @param accepts whether the values of the exchange fit those of this run
   */
  next(
    incoming: Incoming,
    lastRepeats: boolean,
    accepts: (recorded: Recorded) => boolean = () => true,
  ): Recorded | undefined {
    const answering = this.answering(incoming)
    const unused = answering.filter((entry) => !entry.played)
    const last = lastRepeats && unused.length === 0 ? answering.slice(-1) : []
    return [...unused, ...last].find(accepts)
  }

  /** How many exchanges answer a prompt, used or not. */
  count(incoming: Incoming): number {
    return this.answering(incoming).length
  }

  get unused(): Recorded[] {
    return this.recorded.filter((entry) => !entry.played)
  }

  /** The exchanges that have a prompt, used or not. What was recorded goes before what a person wrote. */
  answering(incoming: Incoming): Recorded[] {
    const same = [
      ...(this.#byHash.get(this.#hashHere(incoming)) ?? []),
      ...this.#written.filter(({ exchange }) => isMeantFor(exchange, incoming)),
    ]
    const [recorded, written] = [true, false].map((is) =>
      same.filter(({ exchange }) => isRecorded(exchange) === is),
    )
    return canBeWritten(incoming) ? [...recorded!, ...written!] : recorded!
  }

  /** By which a prompt is compared; only where it holds a redacted value is that not its own hash. */
  #hashHere({ wire, hash, canonical }: Incoming): string {
    const here = restoreHarmless(wire)
    return here === wire ? hash : readIncoming(here, this.#volatile, canonical.after).hash
  }
}
