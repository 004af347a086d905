import { type Cassette, type Exchange, isRecorded } from '../cassette/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { isUnasked } from '../wire/imported.ts'
import type { WireRequest } from '../wire/message.ts'
import type { Found } from './match.ts'
import { type Incoming, readIncoming } from './incoming.ts'

/** An exchange of the cassette. */
export interface Recorded {
  exchange: Exchange
  /** The request that was recorded; absent where a person wrote the exchange. */
  incoming?: Incoming
  /** The exchange after whose response it was sent: it answers only once that was played. */
  after?: Recorded
  /** Set for an exchange imported from a context: the exchanges before it, whose conversation it continues. */
  earlier?: readonly Exchange[]
  /** How often this attempt replayed it. */
  played: number
}

/** Whether a recording may replace an exchange that nobody asks for. What a person wrote stays in the cassette. */
export function isReplaceable({ incoming, exchange }: Recorded): boolean {
  return incoming !== undefined || exchange.prompt.metadata.traced !== undefined
}

/** Whether nobody knows which prompt an exchange answers: it was imported from a file that does not tell. */
export function isUnaskedExchange({ incoming }: Recorded): boolean {
  return incoming !== undefined && isUnasked(incoming.wire)
}

/** The exchanges of a cassette, each with its request, whose forms are computed on first use. */
export function readRecorded(
  cassette: Cassette | undefined,
  volatile?: readonly VolatileRule[],
): Recorded[] {
  const reader = new RequestReader(volatile)
  const byId = new Map<string, Recorded>()
  return (cassette?.exchanges ?? []).map((exchange, index, all) => {
    const recorded: Recorded = { exchange, played: 0 }
    byId.set(exchange.id, recorded)
    if (exchange.wire) {
      recorded.incoming = reader.read(exchange.id, exchange.wire.request)
      const { after, method } = exchange.wire.request
      if (after !== undefined && method !== 'SEND') recorded.after = byId.get(after)
    } else if (exchange.prompt.metadata.context !== undefined)
      recorded.earlier = all.slice(0, index)
    return recorded
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
    const { after, method } = request
    const before = after !== undefined && method === 'SEND' ? this.#read.get(after) : undefined
    const incoming = readIncoming(request, { volatile: this.#volatile, before })
    this.#read.set(id, incoming)
    return incoming
  }
}

/** Asks every strategy about a cassette. */
export type JudgeValidity = (cassette: Cassette, config: ResolvedConfig) => ValidityVerdict[]

/** Whether the recording of a session is still valid, and whether the attempt replaces it. */
export class Validity {
  /** The verdict of each strategy about the cassette, once it is loaded. */
  verdicts: ValidityVerdict[] = []
  isInvalid = false
  /** True where the attempt replaces an invalid recording by a new one. */
  renews = false
  readonly #judge: JudgeValidity

  constructor(judge: JudgeValidity = () => []) {
    this.#judge = judge
  }

  /** Asks the strategies about a cassette. */
  read(cassette: Cassette | undefined, config: ResolvedConfig): void {
    this.verdicts = cassette ? this.#judge(cassette, config) : []
    this.isInvalid = this.verdicts.some(({ valid }) => !valid)
    const settles = this.verdicts.some(({ valid, lasts }) => !valid && !lasts)
    this.renews = config.renews && (config.mode === 'all' ? this.isInvalid : settles)
  }

  /**
   * The objections to the cassette after the attempt.
   *
   * @param saved what the attempt recorded, if it is saved
   * @param renewed whether `saved` replaces every answer: if not, the age of the old ones still counts
   */
  objections(
    saved: Cassette | undefined,
    renewed: boolean,
    config: ResolvedConfig,
  ): ValidityVerdict[] {
    const fresh = saved ? this.#judge(saved, config) : this.verdicts
    const old = renewed ? fresh : this.verdicts
    const verdicts = [...old.filter(({ lasts }) => !lasts), ...fresh.filter(({ lasts }) => lasts)]
    return verdicts.filter(({ valid }) => !valid)
  }

  /** The exchange, unless the attempt records it again. Only authors change hand-written exchanges. */
  unlessRenewed(found: Found | undefined): Found | undefined {
    return found && this.renews && isRecorded(found.recorded.exchange) ? undefined : found
  }
}

/** An opinion with the name of its strategy. */
export interface ValidityVerdict extends Opinion {
  strategy: string
}

/** The verdict of one strategy on a recording. */
export interface Opinion {
  valid: boolean
  /** The reason, as it follows the name of the strategy. It can quote the cassette: escape it before printing. */
  reason: string
  /** True where a new recording of the same prompts would be invalid too. */
  lasts?: true
}
