import { type Exchange, isRecorded } from '../cassette/cassette.ts'
import type { ParamValues } from '../config/check-params.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { Params } from '../conversation/params.ts'
import { Bindings, pairsBetween, type ValuePair } from '../engine/bind.ts'
import { type Incoming, readIncoming } from '../engine/incoming.ts'
import { isSameRequest } from '../engine/same-request.ts'
import { isJsonObject, tryParseJson } from '../json/json-value.ts'
import { utf8Of } from '../replay/read-text-answer.ts'
import type { LiveValues, ReplayByHash } from '../replay/replay-by-hash.ts'
import { redactorFor } from '../secrets/redactor.ts'
import { type OutgoingRequest, wireRequest } from '../secrets/wire-request.ts'
import { holdsText, MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import { textOf } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

// Loaded where a test has parameters, redaction rules, or other volatile values: `load-live-values.ts` names it.

/** A request with other values than its recording. */
export interface AskedOtherwise {
  incoming: Incoming
  pairs: ValuePair[]
}

/** A request, and the exchange that answers it. */
interface Answered {
  place: number
  /** Set where a volatile value of this attempt differs from the recorded one. */
  asked?: AskedOtherwise
}

/**
 * Opens what reads the requests of an attempt; `undefined` for a cassette that has other members beside its
 * parameters, or a parameter that the test does not declare.
 */
export function readValues(
  replay: ReplayByHash,
  config: ResolvedConfig,
  params: Params = new Params(),
): ReadValues | undefined {
  const { params: text } = replay.file
  const stored = text === undefined ? {} : tryParseJson(utf8Of(text))
  if (!isJsonObject(stored) || Object.keys(stored).some((name) => !params.declares(name)))
    return undefined
  return new ReadValues(replay, config, params, stored as ParamValues)
}

/** Reads a request for its hash as a session does. Whatever it is not sure of, it leaves to the session. */
export class ReadValues implements LiveValues {
  readonly #replay: ReplayByHash
  readonly #config: ResolvedConfig
  readonly #params: Params
  /** The parameters that the cassette was recorded with. */
  readonly #known: Params
  /** The others: what looks like their placeholder is a text of the recording. */
  readonly #fresh: Params
  readonly #bindings: Bindings = new Bindings()
  readonly #recorded: Map<number, Incoming | undefined> = new Map()
  /** The exchanges that were asked word for word, as long as nothing differs. */
  readonly #equal: number[]
  #answered?: Answered
  readonly otherwise: Map<number, AskedOtherwise> = new Map()

  /** @param stored the parameters of the recording */
  constructor(replay: ReplayByHash, config: ResolvedConfig, params: Params, stored: ParamValues) {
    this.#replay = replay
    this.#config = config
    this.#params = params
    this.#known = params.only(Object.keys(stored))
    this.#fresh = params.only(
      Object.keys(params.values).filter((name) => !Object.hasOwn(stored, name)),
    )
    this.#equal = replay.played.map(({ index }) => index)
  }

  find(request: OutgoingRequest & { body: string }): number | undefined {
    try {
      this.#answered = this.#find(request)
    } catch {
      // The session says what is wrong with it.
      this.#answered = undefined
    }
    return this.#answered?.place
  }

  #find(request: OutgoingRequest & { body: string }): Answered | undefined {
    const { redact, volatile } = this.#config
    const sent = wireRequest(request)
    const redactor = redactorFor(request.headers, new URL(request.url), redact, process.env, {})
    if (redactor.request(sent) !== sent) return undefined
    const wire = this.#params.hide(sent)
    const body = wire === sent ? request.body : textOf(wire.body)
    if (wire !== sent && this.#fresh.areIn(body)) return undefined
    const place = this.#replay.findRaw({ ...request, body })
    if (volatile.length === 0 || (place !== undefined && !this.#bindings.differ))
      return place === undefined ? undefined : { place }
    return this.#findOtherwise(wire, place)
  }

  /** The exchange whose turn it is, if only volatile values differ. */
  #findOtherwise(wire: WireRequest, equal: number | undefined): Answered | undefined {
    const { volatile, unordered } = this.#config
    const place = this.#replay.first
    if (equal !== undefined && equal !== place) return undefined
    const known = this.#recordedAt(place)
    const incoming = readIncoming(wire, { volatile })
    if (!known || known.hash !== incoming.hash) return undefined
    for (const one of this.#equal.splice(0)) this.#bindings.addEqual(this.#recordedAt(one)!)
    const pairs = pairsBetween(known, incoming)
    if (this.#bindings.conflictOf(pairs)) return undefined
    // Of several that may answer, the one that was asked word for word does.
    if (equal === undefined && unordered && this.#isAskedOf(place, incoming)) return undefined
    return { place, asked: { incoming, pairs } }
  }

  /** Whether a request may be that of a later exchange, word for word. */
  #isAskedOf(first: number, { hash, wire }: Incoming): boolean {
    const { length } = this.#replay.file.hashes
    for (let place = first + 1; place < length; place++) {
      if (this.#replay.isPlayed[place]) continue
      const other = this.#recordedAt(place)
      if (!other || (other.hash === hash && isSameRequest(other.wire, wire))) return true
    }
    return false
  }

  /** The request of an exchange; `undefined` where more decides about it than its values. */
  #recordedAt(place: number): Incoming | undefined {
    if (!this.#recorded.has(place)) this.#recorded.set(place, this.#read(place))
    return this.#recorded.get(place)
  }

  #read(place: number): Incoming | undefined {
    const request = this.#replay.cassette.exchanges[place]?.wire?.request
    const isPlain = request && !request.imported && !holdsText(request, MAY_BE_PLACEHOLDER)
    return isPlain && !this.#fresh.areIn(request.body)
      ? readIncoming(request, { volatile: this.#config.volatile })
      : undefined
  }

  fill(place: number): Exchange | undefined {
    const asked = this.#answered?.asked
    if (asked) {
      this.#bindings.add(asked.pairs)
      this.otherwise.set(place, asked)
    } else if (this.#config.volatile.length > 0) this.#equal.push(place)
    if (this.#known.none && !this.#bindings.differ) return undefined
    const exchange = this.#replay.cassette.exchanges[place]
    if (!exchange || !isRecorded(exchange)) return exchange
    const { request, response } = exchange.wire
    const filled = this.#known.show(this.#bindings.bind(response))
    return filled === response ? undefined : { ...exchange, wire: { request, response: filled } }
  }

  forgivenAt(place: number): ValuePair[] | undefined {
    return this.otherwise
      .get(place)
      ?.pairs.filter(({ recorded, live, rule }) => rule && recorded !== live)
  }
}
