import { type Destination, WireReader, type WireEvent } from '../call/read-wire.ts'

/** What a client has written. */
export interface Sorted {
  /** What goes on to its server. */
  passes: Buffer
  /** From where a request of ours begins; with the requests before it, where those are whole and not sent yet. */
  ours?: Buffer
}

const NOTHING = Buffer.alloc(0)

/** Sorts what a client writes to a connection, in pieces of any size: requests that pass, until one is ours. */
export class RequestSorter {
  readonly #reader: WireReader
  readonly #isOurs: (event: WireEvent) => boolean
  /** What waits for the end of the head that it begins. */
  #held: Buffer = NOTHING
  #heldAt = 0

  constructor(place: Destination, isOurs: (event: WireEvent) => boolean) {
    this.#reader = new WireReader(place, true)
    this.#isOurs = isOurs
  }

  /** Whether nothing that comes can be ours. */
  get isDone(): boolean {
    return this.#reader.isDone
  }

  /** Whether the head of a request is not complete yet. */
  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** What is held, of a client that goes on no further: from here on all passes. */
  release(): Buffer {
    const held = this.#held
    this.#held = NOTHING
    this.#reader.isDone = true
    return held
  }

  sort(bytes: Buffer): Sorted {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes
    const cut = (at: number): [Buffer, Buffer] => [
      all.subarray(0, at - this.#heldAt),
      all.subarray(at - this.#heldAt),
    ]
    // Where no request is under way, those before ours are answered in its order.
    const isWhole = this.#held.length > 0 || this.#reader.isBetween
    for (const event of this.#reader.read(bytes)) {
      if (!this.#isOurs(event)) continue
      const [passes, ours] = isWhole ? [NOTHING, all] : cut(event.at)
      return { passes, ours }
    }
    const end = this.#heldAt + all.length
    const [passes, held] = cut(this.#reader.isHolding ? this.#reader.requestAt : end)
    this.#held = held
    this.#heldAt += passes.length
    return { passes }
  }
}
