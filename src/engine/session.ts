import { type Cassette, isRecorded } from '../cassette/cassette.ts'
import type { ParamValues } from '../config/check-params.ts'
import type { Environment } from '../config/environment.ts'
import { sendsNothing } from '../config/mode.ts'
import type { TestOptions } from '../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import { Params } from '../conversation/params.ts'
import { CassetteError } from '../errors.ts'
import { MAY_BE_PLACEHOLDER, holdsText } from '../text/holds-text.ts'
import { lengthOfText } from '../wire/body.ts'
import { Bindings, type ValuePair } from './bind.ts'
import { findRecorded, type Found, type KeptPlace, Matcher, whyMissed } from './match.ts'
import type { Incoming } from './incoming.ts'
import { LateRequests } from './late-requests.ts'
import { FollowedAddresses } from './followed-addresses.ts'
import type { Faults, PictureComparer } from './rare-cases.ts'
import { type Recorded, Validity } from './recorded.ts'
import type { Recording } from './recording.ts'
import {
  type Answer,
  type AskedRequest,
  type Miss,
  type Origin,
  paceOf,
  type ReplayAnswer,
  type SessionOptions,
  type SlowRequest,
  type TestIdentity,
} from './session-contract.ts'
import type { Flight, Flights } from '../replay/flights.ts'
import { turnOf } from '../replay/turn-of.ts'
import type { ReplayByHash } from '../replay/replay-by-hash.ts'
import type { Redactions } from '../secrets/redactions.ts'
import { decide, mustAskProvider } from './session/decide.ts'

/** One attempt of one test: its cassette, its requests, its misses. */
export class Session {
  test: TestIdentity
  /** Finds its cassette by its first request, where others may have it. */
  take?: ((session: Session, incoming: Incoming, counts: boolean) => void) | undefined
  /** The number of the repeat of the test that this is. */
  readonly sample: number
  readonly options: SessionOptions
  config: ResolvedConfig
  readonly misses: Miss[] = []
  readonly leads: FollowedAddresses = new FollowedAddresses()
  /** The values of this run in place of the recorded ones. */
  readonly bindings: Bindings = new Bindings()
  /** The placeholders of this attempt; their numbers begin after those of the cassette. */
  declare redactions?: Redactions
  /** The credentials in its prompts whose values can be guessed, by the names of their placeholders. */
  declare guessable?: Set<string>
  /** The parameters that the test declared. */
  params: Params = new Params()
  /** That of its file, where what a request asks for can be stored there. */
  ofFile?: Session
  /** Compares pictures, once the cassette is loaded and where pictures may differ. */
  pictures?: PictureComparer
  /** The cassette, once it is loaded and where there is one: of a test with samples, the sample that this is. */
  cassette?: Cassette
  /** The samples of the cassette, where it does not have the one that this is. */
  samples?: ReadonlySet<number>
  /** The error that fails this attempt, such as a cassette that cannot be read or a call that was refused. */
  fault?: CassetteError
  readonly validity: Validity
  readonly late: LateRequests = new LateRequests()
  /** The other servers that its programs could not reach, each with the command line of the program that asked. */
  unreached?: Map<string, string>
  /** The programs of the test that failed, and how each ended: `with exit code 1`. */
  ended?: ReadonlyArray<{ command: string; how: string }>
  /** The requests so far, in order of arrival. */
  readonly arrived: AskedRequest[] = []
  /** Those whose answer a fault of the test withheld or cut. */
  readonly spoiled: AskedRequest[] = []
  readonly pending: Pending = new Pending()
  /** The responses that are replayed now. */
  flights: Flights = { open: new Set(), haveMet: false }
  #faults?: Faults
  #matcher?: Matcher
  #wasAsked = false
  #waitsNoLonger = false
  /** The length of the requests that are kept as they were sent. */
  #kept = 0

  constructor(options: SessionOptions) {
    this.test = options.test
    this.sample = options.sample ?? 1
    this.config = options.config
    this.validity = new Validity(options.judge)
    this.options = options
  }

  /**
   * Answers a request.
   *
   * @param isLlmCall called where the cassette has no answer; a request that is no LLM call passes, and is not counted
   * @param speakerAnswer the answer of a speaker of the test, or `live` where the speaker leaves it to the provider
   */
  answer(
    incoming: Incoming,
    origin: Origin,
    isLlmCall: () => boolean = () => true,
    speakerAnswer?: Found | 'live',
  ): Answer {
    const { mode } = this.config
    if (mode === 'off') return { action: 'live' }
    const isLate = this.late.has(origin.order)
    const isClosed = isLate && !this.late.isLeft
    const skipsCassette =
      isClosed || speakerAnswer || mustAskProvider(this, incoming, this.options.rare)
    const isFirst = !this.#wasAsked
    if (isFirst) this.take?.(this, incoming, false)
    this.#open()
    const found = skipsCassette ? undefined : this.find(incoming)
    if (!found && !speakerAnswer && !isLlmCall()) {
      // Until a request counts, options can still change how the cassette is read.
      if (!this.#wasAsked) this.#matcher = undefined
      return { action: 'live' }
    }
    if (isFirst) this.take?.(this, incoming, true)
    this.#wasAsked = true
    if (isLate && !sendsNothing(mode)) return this.#record(incoming, origin)
    if (isClosed) return this.#refuse(incoming, 'closed', origin)
    if (!this.#matcher) return this.#refuse(incoming, 'fault', origin)
    if (typeof speakerAnswer === 'object') return this.#replay(speakerAnswer, incoming, origin)
    const place: KeptPlace =
      found || mode !== 'prompts' ? { found } : this.options.rare().keepAnswer(this, incoming)
    const decided = decide(mode, place.found !== undefined)
    if (decided === 'replay') return this.#replay(place.found!, incoming, origin)
    if (decided === 'record') return this.#record(incoming, origin)
    return this.#refuse(incoming, 'unmatched', origin, place.notKept)
  }

  /** The cassette, for those who look into it before the first request. */
  get held(): Cassette | undefined {
    this.#open()
    if (!this.wasAsked) this.#matcher = undefined
    return this.cassette
  }

  /**
   * Takes over a replay by hash: counts its exchanges as played.
   *
   * @param otherwise the requests that had other values than the recorded ones, by the place of their exchange
   */
  resume(
    { played, flights }: Pick<ReplayByHash, 'played' | 'flights'>,
    otherwise?: ReadonlyMap<number, { incoming: Incoming; pairs: ValuePair[] }>,
  ): void {
    if (played.length === 0) return
    this.flights = flights
    this.#wasAsked = true
    // The rest of the file can be what breaks it.
    if (!this.#open()) return
    for (const { index, order } of played) {
      const recorded = this.recorded[index]!
      const asked = otherwise?.get(index)
      const found = asked ? { recorded, pairs: () => asked.pairs } : { recorded }
      this.#replay(found, asked?.incoming ?? recorded.incoming!, { order })
    }
  }

  /** The exchange of the cassette that answers a request. */
  find(incoming: Incoming): Found | undefined {
    const { bindings, config, validity } = this
    const matcher = this.#open()
    try {
      const found = matcher && findRecorded(matcher, bindings, incoming, config, this.options.rare)
      return validity.unlessRenewed(found)
    } catch (error) {
      // An exchange is decoded when it is compared.
      if (!CassetteError.isInstance(error) || error.code !== 'invalid-cassette') throw error
      this.fault = error
      this.cassette = this.#matcher = undefined
      return undefined
    }
  }

  /**
   * Changes options for this attempt alone; they have been checked.
   *
   * @throws CassetteError `invalid-option` after its end, and after its first request for those that decide what
   * answers a request.
   */
  configure(options: TestOptions, environment: Environment): void {
    refuseLateOptions(Object.keys(options), this)
    this.config = resolveConfig({ ...this.config, ...options }, environment)
  }

  /**
   * Declares parameters of this attempt.
   *
   * @throws CassetteError `invalid-option` as {@link Params.with} does, and after the first request.
   */
  declare(values: ParamValues): void {
    refuseLateOptions(['params'], this)
    this.params = this.params.with(values)
  }

  /** Settles when the responses that ended before one have been read; `undefined` where it need not wait. */
  turnOf(flight: Flight): Promise<void> | undefined {
    return turnOf(flight, this.flights, (place) => this.countUnasked(place))
  }

  /** How many exchanges before a place may still be asked for. */
  countUnasked(place: number): number {
    return this.#matcher?.countUnasked(place) ?? 0
  }

  /** Whether an exchange that is not played yet answers a request. */
  waitsFor(incoming: Incoming): boolean {
    if (!this.#wasAsked) this.take?.(this, incoming, false)
    const found = this.config.mode === 'all' ? undefined : this.find(incoming)
    if (!this.wasAsked) this.#matcher = undefined
    return found?.recorded.played === 0
  }

  /** The test has ended: requests that are created after this one come too late. */
  end(order: number, isLeft?: boolean): void {
    this.late.end(order, isLeft)
    if (this.late.isOver) this.endWaiting()
  }

  /** Answers that are being recorded are waited for some seconds from here on. */
  endWaiting(): void {
    if (this.#waitsNoLonger) return
    this.#waitsNoLonger = true
    for (const { recording } of this.arrived) recording?.testEnds?.(this.test.id)
  }

  /** Waits for an answer that is being recorded for this attempt; another one can have asked for it. */
  waitForAnswer(recording: Recording, kept: Promise<void>): void {
    recording.kept = kept
    this.pending.add(kept)
    recording.testEnds?.(this.#waitsNoLonger ? this.test.id : undefined)
  }

  /** Waits until every answer that is being recorded has ended, or is given up. */
  waitForAnswers(): Promise<void> {
    this.endWaiting()
    return this.pending.waitForAll()
  }

  /** Fails this attempt with an error, such as a refused connection; after its end, the error is reported as late. */
  reject(error: CassetteError): void {
    if (this.late.has(0) || this.late.isLeft) this.late.hear({ error })
    else this.fault ??= error
  }

  /** The requests so far, in order of creation, without errors that a retry overcame. */
  get asked(): AskedRequest[] {
    const isRetried = this.arrived.some(({ recording }) => recording?.retries)
    const asked = isRetried ? this.options.rare().leaveOvercome(this) : this.arrived
    return asked.toSorted((one, other) => one.order - other.order)
  }

  /** True when the test made at least one request. */
  get wasAsked(): boolean {
    return this.#wasAsked || this.arrived.length + this.misses.length > 0 || !!this.fault
  }

  /** Exchanges that this attempt did not ask for; loads the cassette of a test that asked nothing. */
  get unused(): Recorded[] {
    return this.#open()?.unused ?? []
  }

  /** The faults of answers that are replayed. None happens while answers are recorded. */
  get faults(): Faults | undefined {
    const { mode, faults } = this.config
    if (!sendsNothing(mode) || faults.length === 0) return undefined
    return (this.#faults ??= this.options.rare().openFaults(faults))
  }

  get recorded(): Recorded[] {
    return this.#matcher?.recorded ?? []
  }

  /** How many exchanges answer this prompt, used or not. */
  countAnswering(incoming: Incoming): number {
    return this.#matcher?.answering(incoming).length ?? 0
  }

  #open(): Matcher | undefined {
    return this.#matcher || this.fault ? this.#matcher : this.#load()
  }

  #load(): Matcher | undefined {
    try {
      const { mode, volatile, images } = this.config
      const { load, rare, env } = this.options
      this.cassette = this.params.read(load(mode), mode)
      for (const { sample = 1 } of this.cassette?.exchanges ?? []) {
        if (sample === this.sample) continue
        rare().keepSample(this)
        break
      }
      this.validity.read(this.cassette, this.config)
      if (images.match !== 'exact') this.pictures = rare().openPictures(images)
      this.#matcher = new Matcher(this.cassette, { volatile, pictures: this.pictures, env, rare })
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.fault = error
    }
    return this.#matcher
  }

  /** Replays the exchange that was found, which then counts as played. */
  #replay(found: Found, incoming: Incoming, origin: Origin): ReplayAnswer {
    const { order } = origin
    const { recorded, pairs, isEarly, ...how } = found
    const { exchange } = recorded
    // A replay by hash has no other request than the recorded one.
    const slow = incoming === recorded.incoming ? {} : { slow: this.#slow(found, incoming, origin) }
    const stored = isRecorded(exchange)
      ? exchange.wire.response
      : this.options.rare().writtenAnswer(exchange, incoming)
    const values = pairs?.()
    if (values) this.bindings.add(values)
    else this.bindings.addEqual(recorded.incoming!)
    const forgiven = values?.filter(({ recorded, live, rule }) => rule && recorded !== live)
    const sound = { response: this.bindings.bind(stored), delayMs: 0, isWhole: true }
    const given = this.faults?.spoil(exchange.id, incoming, sound.response) ?? sound
    const { response, isWhole } = given
    const isShown = this.redactions ?? holdsText(response.body, MAY_BE_PLACEHOLDER)
    const shown = isShown ? this.options.rare().showValues(this, response) : response
    // A spoiled exchange stays unplayed, so that it answers the retry.
    if (isWhole) recorded.played++
    // A word-for-word match keeps the recorded request, which is in memory anyway.
    const isOther = pairs ?? recorded.incoming!.wire.imported
    const asked = isOther ? incoming : recorded.incoming!
    const seen = isWhole ? this.arrived : this.spoiled
    seen.push({ order, incoming: asked, replayed: exchange, response, forgiven, ...slow, ...how })
    const { pace } = this.config
    const hasFlight = pace === 'instant' && given.delayMs === 0 && recorded.played <= 1
    return {
      action: 'replay',
      ...given,
      ...paceOf(pace, exchange.response.duration_ms),
      // A poll that is answered again may be asked without end.
      ...(hasFlight
        ? { flight: { place: this.recorded.indexOf(recorded), left: 0, isEarly } }
        : {}),
      response: this.leads.add(incoming, this.params.show(shown)),
    }
  }

  /** What the end of the test has to know of a request that was not found by its hash. */
  #slow({ recorded, isEarly }: Found, incoming: Incoming, { way }: Origin): SlowRequest {
    const isAgain = recorded.played > 0
    if (way === 'client') return { way, isAgain }
    // In mode `prompts`, the cassette takes over how it is spelled.
    this.#kept += this.config.mode === 'prompts' ? 0 : lengthOfText(incoming.sent.body)
    return { way, isEarly, isAgain, incoming: this.#kept > MOST_KEPT ? undefined : incoming }
  }

  #record(incoming: Incoming, origin: Origin): Answer {
    const { order, callSite, askedBy } = origin
    // A volatile rule that covers the prompt fails before anything is sent.
    if (this.config.volatile.length > 0) void incoming.hash
    const isLate = this.late.has(order)
    const retries = this.options.rare().findFailed(this.arrived, incoming)
    const keep = async (): Promise<void> => this.options.keep?.(asked, isLate)
    const recording: Recording = { incoming, callSite, askedBy, leads: this.leads, keep, retries }
    const asked = { order, recording }
    const refusal = this.options.mayAsk?.(asked)
    this.fault ??= refusal
    if (refusal) return this.#refuse(incoming, isLate ? 'closed' : 'fault', origin)
    if (isLate) return this.late.record(asked, recording, this.test)
    this.arrived.push(asked)
    return { action: 'record', recording, done: (kept) => this.waitForAnswer(recording, kept) }
  }

  #refuse(incoming: Incoming, reason: Miss['reason'], origin: Origin, notKept?: string): Answer {
    const { callSite, askedBy, order } = origin
    const matcher = this.#matcher
    const why = matcher && whyMissed(matcher, this.bindings, incoming, this.config)
    const miss: Miss = { reason, incoming, callSite, askedBy, notKept, ...why }
    // The verdict of the test is already given.
    const isLate = reason === 'closed' || this.late.has(order)
    void (isLate ? this.late.hear({ miss }) : this.misses.push(miss))
    return { action: 'refuse', miss }
  }
}

/** An agent sends its screenshots again in each turn. */
const MOST_KEPT = 8_000_000

/** Work that has begun and not ended yet. */
class Pending {
  readonly #open: Set<Promise<void>> = new Set()

  add(work: Promise<void>): void {
    const pending = work.finally(() => this.#open.delete(pending))
    this.#open.add(pending)
  }

  /** Waits until all work has ended, including work that begins meanwhile. */
  async waitForAll(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }
}

/** Options that are read only when the attempt has ended. */
const JUDGED_LATER = ['unused', 'recordErrors', 'invalid']

/**
 * Refuses options that are set when requests were already answered without them.
 *
 * @throws CassetteError `invalid-option`
 */
function refuseLateOptions(
  names: readonly string[],
  { test, wasAsked, late: { isOver } }: Session,
): void {
  const late = names.filter((name) => isOver || !JUDGED_LATER.includes(name))
  if (late.length === 0 || !(isOver || wasAsked)) return
  const when = isOver ? 'after the end' : 'after the first request'
  throw new CassetteError(
    'invalid-option',
    `${late.join(', ')}: set ${when} of the test "${test.id}", when requests were already answered without it. ` +
      'Set it before the test asks, or in beforeEach.',
  )
}
