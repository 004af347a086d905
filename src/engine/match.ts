import { isRecorded, type Cassette, type Exchange } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { restoreHarmless } from '../secrets/restore-harmless.ts'
import type { PictureComparer } from '../pictures/compare-pictures.ts'
import { readIncoming, type Incoming } from './incoming.ts'
import { canBeWritten, isMeantFor } from './written.ts'

/** An exchange of the cassette. */
export interface Recorded {
  exchange: Exchange
  /** The request that was recorded; absent where a person wrote the exchange. */
  incoming?: Incoming
  /** How often this attempt was given its answer. */
  played: number
}

/** What decides, beside the prompt, which exchange answers. */
export type MatchRules = Pick<ResolvedConfig, 'repeats' | 'unordered'>

/** The exchanges of a cassette by prompt hash. Each answers once, in the order recorded. */
export class Matcher {
  readonly recorded: Recorded[]
  readonly #byHash: Map<string, Recorded[]>
  /** The same by what they are beside their pictures; read when one is looked for so. */
  #byRest?: Map<string, Recorded[]>
  /** Those without a request; which one is meant only a prompt can tell. */
  readonly #written: Recorded[]
  /** Whether older releases recorded some of them. */
  readonly #holdsOlder: boolean
  readonly #volatile: readonly VolatileRule[]
  readonly #pictures?: PictureComparer
  #turn = 0

  /**
   * @param volatile what may vary between runs; recorded prompts are read by the rules of today
   * @param pictures tells whether pictures look alike; without it they compare by their content
   */
  constructor(
    cassette: Cassette | undefined,
    volatile: readonly VolatileRule[],
    pictures?: PictureComparer,
  ) {
    this.#volatile = volatile
    this.#pictures = pictures
    const hashes = new Map<string, string>()
    this.recorded = (cassette?.exchanges ?? []).map((exchange) => {
      if (!exchange.wire) return { exchange, played: 0 }
      const { request } = exchange.wire
      const after = request.after === undefined ? undefined : hashes.get(request.after)
      const incoming = readIncoming(request, volatile, after)
      hashes.set(exchange.id, incoming.hash)
      return { exchange, incoming, played: 0 }
    })
    this.#holdsOlder = this.recorded.some(({ incoming }) => incoming?.wire.older)
    this.#byHash = this.#index(({ hash }) => hash)
    this.#written = this.recorded.filter(({ incoming }) => !incoming)
  }

  /**
   * The next unused exchange that answers a prompt. Where prompts may repeat, and of a poll, the last one
   * answers for ever, or all of them again in their order. Where the order counts, an exchange waits for those before it.
   *
   * @param accepts whether the values of the exchange fit those of this run
   */
  next(
    incoming: Incoming,
    { repeats, unordered }: MatchRules,
    accepts: (recorded: Recorded) => boolean = () => true,
  ): Recorded | undefined {
    const exact = this.#exact(incoming)
    const alike = this.#alike(incoming)
    const answering = alike.length > 0 ? [...exact, ...alike] : exact
    if (answering.every(({ played }) => played)) {
      const again = exact.length > 0 ? exact : alike.slice(0, 1)
      const rule = repeats === 'strict' && again.some(isPoll) ? 'last' : repeats
      return repeated(again, rule).find(accepts)
    }
    if (unordered) return answering.find((entry) => !entry.played && accepts(entry))
    const first = this.#firstFor(answering)
    return first && answering.includes(first) && accepts(first) ? first : undefined
  }

  /** The first that was not played, but for polls that are passed over; none becomes unplayed again. */
  #firstFor(answering: readonly Recorded[]): Recorded | undefined {
    while (this.recorded[this.#turn]?.played) this.#turn++
    let turn = this.#turn
    const isPassed = (entry: Recorded): boolean =>
      entry.played > 0 || (!answering.includes(entry) && this.#isBegun(entry))
    while (this.recorded[turn] && isPassed(this.recorded[turn]!)) turn++
    return this.recorded[turn]
  }

  /** Whether it is a poll that was asked at least once: how often it is, the clock decides. */
  #isBegun(entry: Recorded): boolean {
    return isPoll(entry) && this.#exact(entry.incoming!).some(({ played }) => played)
  }

  /** How many exchanges answer a prompt, used or not. */
  count(incoming: Incoming): number {
    return this.answering(incoming).length
  }

  get unused(): Recorded[] {
    return this.recorded.filter((entry) => !entry.played && !this.#isBegun(entry))
  }

  /** The exchanges that have a prompt, used or not: this very one, and then one that only looks like it. */
  answering(incoming: Incoming): Recorded[] {
    return [...this.#exact(incoming), ...this.#alike(incoming)]
  }

  /** What was recorded goes before what a person wrote. */
  #exact(incoming: Incoming): Recorded[] {
    const travelled = this.#lookUp(this.#byHash, ({ hash }) => hash, incoming)
    const meant = this.#written.filter(({ exchange }) => isMeantFor(exchange, incoming))
    const same = meant.length > 0 ? [...travelled, ...meant] : travelled
    if (same.every(({ exchange }) => isRecorded(exchange))) return same
    const [recorded, written] = [true, false].map((is) =>
      same.filter(({ exchange }) => isRecorded(exchange) === is),
    )
    return canBeWritten(incoming) ? [...recorded!, ...written!] : recorded!
  }

  /** The exchanges with this prompt whose pictures are others and look alike, the nearest first. */
  #alike(incoming: Incoming): Recorded[] {
    if (!this.#pictures || incoming.pictures.length === 0) return []
    this.#byRest ??= this.#index(({ hashBesidePictures }) => hashBesidePictures)
    const rest = this.#lookUp(
      this.#byRest,
      ({ hashBesidePictures }) => hashBesidePictures,
      incoming,
    )
    const exact = this.#lookUp(this.#byHash, ({ hash }) => hash, incoming)
    const near = rest.flatMap((recorded) => {
      if (exact.includes(recorded)) return []
      const distance = this.#pictures!.distance(recorded, incoming)
      return distance === undefined ? [] : { recorded, distance }
    })
    return near
      .toSorted((one, other) => one.distance - other.distance)
      .map(({ recorded }) => recorded)
  }

  #index(keyOf: (incoming: Incoming) => string): Map<string, Recorded[]> {
    const travelled = this.recorded.filter(({ incoming }) => incoming)
    return Map.groupBy(travelled, ({ incoming }) => keyOf(this.#here(incoming!)))
  }

  /** What is found for a request, in its order: as it is, and as older releases would have recorded it. */
  #lookUp(
    index: Map<string, Recorded[]>,
    keyOf: (incoming: Incoming) => string,
    incoming: Incoming,
  ): Recorded[] {
    const find = (asked: Incoming): Recorded[] => index.get(keyOf(this.#here(asked))) ?? []
    if (!this.#holdsOlder) return find(incoming)
    const isOlder = (entry: Recorded): boolean => entry.incoming!.wire.older === true
    const today = find(incoming).filter((entry) => !isOlder(entry))
    const older = find(incoming.asOlder).filter(isOlder)
    if (today.length === 0 || older.length === 0) return [...today, ...older]
    const found = new Set([...today, ...older])
    return this.recorded.filter((entry) => found.has(entry))
  }

  /** As a prompt is compared; only where it holds a redacted value is that not as it is kept. */
  #here(incoming: Incoming): Incoming {
    const { wire, after } = incoming
    const here = restoreHarmless(wire)
    return here === wire ? incoming : readIncoming(here, this.#volatile, after)
  }
}

/** What only looks how far something is, and says nothing. */
function isPoll({ incoming }: Recorded): boolean {
  return incoming?.wire.method === 'GET' && incoming.wire.body.kind === 'empty'
}

/** Which exchanges may answer once more, when all that have a prompt were played. */
function repeated(answering: Recorded[], repeats: MatchRules['repeats']): Recorded[] {
  if (repeats === 'last') return answering.slice(-1)
  return repeats === 'cycle' ? answering.toSorted((one, other) => one.played - other.played) : []
}
