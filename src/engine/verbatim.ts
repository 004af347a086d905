import { isRecorded, type Cassette, type RecordedExchange } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { sameJson } from '../json/same-json.ts'
import { asOlder } from '../wire/as-older.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { Leads } from './leads.ts'

/** A request that was answered, and where it stands among all that were created. */
export interface VerbatimCall {
  wire: WireRequest
  order: number
  replayed: RecordedExchange
}

/**
 * A cassette that is asked word for word what it recorded, in its order, as nearly all are: each request is
 * compared with the one recorded exchange whose turn it is, and nothing is hashed. It knows neither rule nor
 * exception. For all that is another word or another turn there is the session, which is asked the same again.
 */
export class Verbatim {
  readonly cassette: Cassette
  /** What was asked, in order. */
  readonly asked: VerbatimCall[] = []
  readonly leads: Leads = new Leads()
  readonly #exchanges: readonly RecordedExchange[]

  /** Of a cassette in which something has a say beside the requests, none is answered. */
  constructor(cassette: Cassette) {
    const { exchanges, params } = cassette
    const isPlain = !params && exchanges.every(isRecorded)
    this.cassette = cassette
    this.#exchanges = isPlain ? exchanges : []
  }

  /** The recorded answer, where it is the turn of this very request. */
  answer(wire: WireRequest, order: number): WireResponse | undefined {
    const replayed = this.#exchanges[this.asked.length]
    if (!replayed || !isSame(replayed.wire.request, wire)) return undefined
    const { response } = replayed.wire
    if (isRedirect(response)) return undefined
    this.asked.push({ wire, order, replayed })
    this.leads.add(wire, response)
    return response
  }

  /** True when all that was recorded was asked. */
  get isWhole(): boolean {
    return this.asked.length > 0 && this.asked.length === this.#exchanges.length
  }
}

/** Whether nothing but the cassette has a say in what a request is answered. */
export function isPlainReplay({ mode, images, faults, doctor, redact }: ResolvedConfig): boolean {
  const isExact = images.match === 'exact' && redact.length === 0
  return mode === 'replay' && isExact && faults.length === 0 && !doctor
}

/** Whether a cassette may be asked its own words, in which nothing varies; functions and statistics are for the session. */
export function mayBeVerbatim(config: ResolvedConfig): boolean {
  const { volatile, whyInvalid, maxFailures } = config
  const hasFunction = whyInvalid || volatile.some((rule) => typeof rule === 'function')
  return isPlainReplay(config) && !hasFunction && maxFailures === undefined
}

/** Where it leads to is for fetch to follow. */
export function isRedirect({ status }: WireResponse): boolean {
  return status >= 300 && status < 400
}

function isSame(recorded: WireRequest, sent: WireRequest): boolean {
  const asked = recorded.older ? asOlder(sent) : sent
  return (
    recorded.url === asked.url &&
    recorded.method === asked.method &&
    recorded.after === asked.after &&
    recorded.body.kind === 'json' &&
    asked.body.kind === 'json' &&
    sameJson(recorded.headers ?? null, asked.headers ?? null) &&
    sameJson(recorded.body.value, asked.body.value)
  )
}
