import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { rawHashOfSent, type SentText } from '../providers/raw-hash.ts'
import type { NamedHeaders, WireRequest } from '../wire/message.ts'
import type { Flights } from './flights.ts'
import type { SealedFile } from './sealed-file.ts'

/** An exchange that was played, and the request that it answered. */
export interface Played {
  /** The place of the exchange in its file. */
  index: number
  /** The number of the request in the order of creation. */
  order: number
}

/** A request with its headers by name. */
interface AskedText extends SentText {
  headers: NamedHeaders & Iterable<[name: string, value: string]>
}

/** Finds exchanges whose requests had other values, where options allow that, and answers with the values of this run. */
export interface LiveValues {
  find(request: AskedText): number | undefined
  /** Counts an exchange as that which answers the request; `undefined` where its text tells what it answers. */
  fill(place: number): Exchange | undefined
  /** What volatile rules forgave in the request that an exchange answered. */
  forgivenAt(place: number): Forgiven[] | undefined
}

/** A volatile value, and the recorded one in its place. */
export interface Forgiven {
  recorded: string
  live: string
}

/**
 * Replays a sealed file while every request equals a recorded one byte for byte, as in most tests. A session takes over
 * at the first other request.
 */
export class ReplayByHash {
  readonly file: SealedFile
  readonly #decode: () => Cassette
  readonly #isInOrder: boolean
  /** The places of the exchanges with a raw hash. */
  readonly #byRaw: Map<string, number[]> = new Map()
  readonly isPlayed: boolean[] = []
  readonly played: Played[] = []
  readonly flights: Flights = { open: new Set(), haveMet: false }
  /** The place of the first exchange that was not played. */
  first: number = 0
  #cassette: Cassette | undefined
  readonly #read: (() => LiveValues | undefined) | undefined
  /** Set once a request can have other values than the recorded one. */
  values: LiveValues | undefined

  /**
   * @param isInOrder whether the exchanges answer in the order of the file alone
   * @param decode decodes the file, for those who ask for more than an answer
   * @param read opens what reads a request that equals none
   */
  constructor(
    file: SealedFile,
    isInOrder: boolean,
    decode: () => Cassette,
    read?: () => LiveValues | undefined,
  ) {
    this.file = file
    this.#read = read
    this.#isInOrder = isInOrder
    this.#decode = decode
    for (const [index, hashes] of file.hashes.entries()) {
      const raw = hashes.slice(23, 45)
      if (raw === '' || raw.startsWith('.')) continue
      const known = this.#byRaw.get(raw)
      if (known) known.push(index)
      else this.#byRaw.set(raw, [index])
    }
  }

  /** The exchange that answers a request. */
  find(request: AskedText): number | undefined {
    const place = this.values ? undefined : this.findRaw(request)
    return place ?? (this.values ??= this.#read?.())?.find(request)
  }

  /**
   * The exchange that answers a request by its raw hash: the one that the engine would find. `undefined` where there is
   * none, or where another one may have to come before it.
   */
  findRaw(request: SentText): number | undefined {
    const raw = rawHashOfSent(request)
    const index =
      raw === undefined ? undefined : this.#byRaw.get(raw)?.find((one) => !this.isPlayed[one])
    if (index === undefined || !this.isEarly(index)) return index
    return this.#isInOrder || this.file.isInOrder || this.#isBehindEqual(index) ? undefined : index
  }

  /** Whether an exchange before one was not played yet. */
  isEarly(index: number): boolean {
    return index > this.first
  }

  /** How many exchanges before a place were not played yet. */
  countUnasked(place: number): number {
    let unasked = 0
    for (let at = this.first; at < place; at++) if (!this.isPlayed[at]) unasked++
    return unasked
  }

  /** Whether one before it that was not played has the same canonical hash, though it was spelled otherwise. */
  #isBehindEqual(index: number): boolean {
    const { hashes } = this.file
    const canonical = hashes[index]!.slice(0, 22)
    for (let at = this.first; at < index; at++)
      if (!this.isPlayed[at] && (hashes[at]!.startsWith(canonical) || hashes[at]!.startsWith('.')))
        return true
    return false
  }

  /** Counts an exchange as played. */
  play(index: number, order: number): void {
    this.isPlayed[index] = true
    this.played.push({ index, order })
    while (this.isPlayed[this.first]) this.first++
  }

  /** Lets the file go, when a session goes on from here. */
  forget(): void {
    this.file.forget()
    this.#cassette = undefined
  }

  get wasAsked(): boolean {
    return this.played.length > 0
  }

  /** True once every exchange was played. */
  get isDone(): boolean {
    return this.wasAsked && this.first === this.file.hashes.length && this.file.isWhole
  }

  /** The requests so far. */
  get requests(): WireRequest[] {
    return this.played.flatMap(({ index }) => this.cassette.exchanges[index]!.wire?.request ?? [])
  }

  get cassette(): Cassette {
    return (this.#cassette ??= this.#decode())
  }
}
