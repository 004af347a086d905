import type { Cassette } from '../cassette/cassette.ts'
import type { WireRequest } from '../wire/message.ts'
import { areInFlight, type Flights } from './flights.ts'
import type { SealedFile } from './sealed-file.ts'

/** An exchange that was played, and the request that it answered. */
export interface Played {
  /** The place of the exchange in its file. */
  index: number
  /** The number of the request in the order of creation. */
  order: number
}

/**
 * The exchanges of a sealed file, while all that is asked is, byte for byte, what was recorded. Most tests ask nothing
 * else. For the first other request a session goes on from here.
 */
export class ReplayByHash {
  readonly file: SealedFile
  readonly #decode: () => Cassette
  /** The places of the exchanges with a raw hash. */
  readonly #byRaw: Map<string, number[]> = new Map()
  readonly #isPlayed: boolean[] = []
  readonly played: Played[] = []
  readonly flights: Flights = { open: new Set(), haveMet: false }
  /** The first exchange that was not played. */
  #first = 0
  #cassette?: Cassette

  /**
   * @param decode decodes the file, for those who ask for more than an answer
   */
  constructor(file: SealedFile, decode: () => Cassette) {
    this.file = file
    this.#decode = decode
    for (const [index, hashes] of file.hashes.entries()) {
      const raw = hashes.slice(23, 45)
      if (raw === '' || raw.startsWith('.')) continue
      const known = this.#byRaw.get(raw)
      if (known) known.push(index)
      else this.#byRaw.set(raw, [index])
    }
  }

  /**
   * The exchange that answers a request with a raw hash, if its turn has come. A session finds the others, and gives
   * responses in flight in their order.
   */
  find(raw: string): number | undefined {
    if (this.flights.open.size > 0 && areInFlight(this.flights)) return undefined
    const index = this.#byRaw.get(raw)?.find((one) => !this.#isPlayed[one])
    return index === this.#first ? index : undefined
  }

  /** Counts an exchange as played. */
  play(index: number, order: number): void {
    this.#isPlayed[index] = true
    this.played.push({ index, order })
    while (this.#isPlayed[this.#first]) this.#first++
  }

  get wasAsked(): boolean {
    return this.played.length > 0
  }

  /** True once every exchange was played. */
  get isDone(): boolean {
    return this.wasAsked && this.#first === this.file.hashes.length && this.file.isWhole
  }

  /** The requests so far. */
  get requests(): WireRequest[] {
    return this.played.flatMap(({ index }) => this.cassette.exchanges[index]!.wire?.request ?? [])
  }

  get cassette(): Cassette {
    return (this.#cassette ??= this.#decode())
  }
}
