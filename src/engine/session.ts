import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { Environment } from '../config/environment.ts'
import type { ParamValues } from '../config/check-params.ts'
import { sendsNothing } from '../config/mode.ts'
import type { TestOptions } from '../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import type { UsageTotal } from '../conversation/cost/usage.ts'
import { CassetteError } from '../errors.ts'
import type { Answer, ReplayAnswer } from './answer.ts'
import { linkAsked, type AskedConversation } from './asked-conversation.ts'
import { readAsked, turnOf, type Asked, type AskedExchange } from './asked.ts'
import { AskedThreads } from './asked-threads.ts'
import { Bindings } from './bind.ts'
import { PictureComparer } from '../pictures/compare-pictures.ts'
import { decide } from './decide.ts'
import { Faults } from './faults.ts'
import { findRecorded, type Found } from './find-recorded.ts'
import type { Incoming } from './incoming.ts'
import { keepAnswer, type KeptPlace } from './keep-answer.ts'
import { LateRequests } from './late-requests.ts'
import { Leads } from './leads.ts'
import { Matcher, type Recorded } from './match.ts'
import type { Miss } from './miss.ts'
import { Params } from './params.ts'
import { Pending } from './pending.ts'
import type { Recording } from './recording.ts'
import { sumAsked } from './sum-asked.ts'
import { speakerOf } from './speaker.ts'
import type { TestIdentity } from './test-identity.ts'
import { refuseLate } from './too-late.ts'
import { Validity } from './validity.ts'
import { whyMissed } from './why-missed.ts'
import { writtenAnswer } from './written.ts'

/** One attempt of one test: its cassette, what it asked, its misses. */
export class Session {
  readonly test: TestIdentity
  config: ResolvedConfig
  readonly misses: Miss[] = []
  readonly leads: Leads = new Leads()
  /** Which values of this run stand for which of the recording. */
  readonly bindings: Bindings = new Bindings()
  /** What the test declared to run through its conversation. */
  params: Params = new Params()
  /** Compares pictures, once something was asked and where they may differ. */
  pictures?: PictureComparer
  /** Why the cassette cannot be read, once something was asked of it. */
  fault?: CassetteError
  readonly validity: Validity
  readonly late: LateRequests = new LateRequests()
  readonly #load: () => Cassette | undefined
  readonly #keep: (asked: Asked, isLate: boolean) => Promise<void>
  readonly #asked: Asked[] = []
  readonly threads: AskedThreads = new AskedThreads(this.#asked)
  readonly #pending: Pending = new Pending()
  #faults?: Faults
  #cassette?: Cassette
  #matcher?: Matcher

  /**
   * @param load reads the cassette; called at the first request.
   * @param keep keeps an answer that has arrived, until the cassette is written
   * @param validity says whether it may still be replayed
   */
  constructor(
    test: TestIdentity,
    config: ResolvedConfig,
    load: () => Cassette | undefined,
    keep: (asked: Asked, isLate: boolean) => Promise<void> = async () => {},
    validity: Validity = new Validity(),
  ) {
    this.test = test
    this.config = config
    this.#load = load
    this.#keep = keep
    this.validity = validity
  }

  /**
   * Answers a request.
   *
   * @param order where the request stands among all that were created; arrival can differ.
   * @param callSite an error created where the application made the request.
   */
  answer(incoming: Incoming, order: number, callSite?: Error): Answer {
    const { mode } = this.config
    if (mode === 'off') return { action: 'live' }
    const isOpen = this.#open() !== undefined
    if (this.late.has(order) && sendsNothing(mode))
      return this.#refuse(incoming, 'closed', callSite)
    if (this.late.has(order)) return this.#record(incoming, order, callSite)
    if (!isOpen) return this.#refuse(incoming, 'fault', callSite)
    const speaker = speakerOf(mode, this.threads, incoming)
    const found = speaker === 'cassette' ? this.validity.keep(this.find(incoming)) : undefined
    const place: KeptPlace = found || mode !== 'prompts' ? { found } : keepAnswer(this, incoming)
    switch (decide(mode, place.found !== undefined)) {
      case 'replay':
        return this.replay(place.found!, incoming, order)
      case 'record':
        return this.#record(incoming, order, callSite)
      default:
        return this.#refuse(incoming, 'unmatched', callSite, place.notKept)
    }
  }

  /** What the cassette says to a request, whoever answers it. */
  find(incoming: Incoming): Found | undefined {
    const matcher = this.#open()
    return matcher && findRecorded(matcher, this.bindings, incoming, this.config)
  }

  /**
   * Changes options for this attempt alone; they have been checked.
   *
   * @throws CassetteError `invalid-option` after its end, and after its first request for those that decide what
   * answers a request.
   */
  configure(options: TestOptions, environment: Environment): void {
    refuseLate(Object.keys(options), this)
    this.config = resolveConfig({ ...this.config, ...options }, environment)
  }

  /**
   * Declares parameters of this attempt.
   *
   * @throws CassetteError `invalid-option` as {@link Params.with} does, and after the first request.
   */
  declare(values: ParamValues): void {
    refuseLate(['params'], this)
    this.params = this.params.with(values)
  }

  /** What was asked and got so far; answers that are still arriving are left out. */
  get exchanges(): AskedExchange[] {
    return this.asked.flatMap((asked) => readAsked(asked, this.params) ?? [])
  }

  /** The same, linked into conversations. */
  get conversations(): AskedConversation[] {
    const turns = this.asked.flatMap((asked) => turnOf(asked, this.params) ?? [])
    return linkAsked(turns, this.#cassette?.timestamp ?? new Date().toISOString())
  }

  /** Counts what was asked and got. */
  usageOf(exchanges: readonly AskedExchange[]): UsageTotal {
    return sumAsked(exchanges, this.config.prices)
  }

  /** Waits until every answer that is being recorded has ended. */
  settle(): Promise<void> {
    return this.#pending.settle()
  }

  /** Makes a request that cannot be read the failure of this attempt. */
  reject(error: CassetteError): void {
    if (this.late.has(0)) this.late.hear({ error })
    else this.fault ??= error
  }

  /** From now on every request comes too late: the verdict on the test has been given. */
  close(): void {
    this.late.end(-1)
  }

  /** The cassette as it was read; `undefined` before the first request or when there is none. */
  get cassette(): Cassette | undefined {
    return this.#cassette
  }

  /** What was asked and answered, in order. */
  get asked(): Asked[] {
    return this.#asked.toSorted((one, other) => one.order - other.order)
  }

  /** True when the test made at least one request. */
  get wasAsked(): boolean {
    return this.#matcher !== undefined || this.fault !== undefined
  }

  /** Exchanges that this attempt did not ask for; loads the cassette of a test that asked nothing. */
  get unused(): Recorded[] {
    return this.#open()?.unused ?? []
  }

  /** What goes wrong with answers that are replayed. Modes that record leave faults out. */
  get faults(): Faults {
    const { mode, faults } = this.config
    return (this.#faults ??= new Faults(mode === 'replay' ? faults : []))
  }

  get recorded(): Recorded[] {
    return this.#matcher?.recorded ?? []
  }

  /** How many exchanges answer this prompt, used or not. */
  countOf(incoming: Incoming): number {
    return this.#matcher?.count(incoming) ?? 0
  }

  #open(): Matcher | undefined {
    if (this.#matcher || this.fault) return this.#matcher
    try {
      const { mode, volatile, images } = this.config
      this.#cassette = this.params.read(this.#load(), mode)
      this.validity.read(this.#cassette, this.config)
      if (images.match !== 'exact') this.pictures = new PictureComparer(images)
      this.#matcher = new Matcher(this.#cassette, volatile, this.pictures)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.fault = error
    }
    return this.#matcher
  }

  /** Gives the answer that was found; from now on it counts as asked for. */
  replay({ recorded, pairs, ...found }: Found, incoming: Incoming, order: number): ReplayAnswer {
    const { exchange } = recorded
    const stored = isRecorded(exchange) ? exchange.wire.response : writtenAnswer(exchange, incoming)
    this.bindings.add(pairs)
    const whole = this.bindings.bind(stored)
    const { response, delayMs, isWhole } = this.faults.spoil(exchange.id, incoming, whole)
    // What is spoiled answers the next try.
    if (isWhole) {
      recorded.played++
      this.#asked.push({ order, incoming, replayed: exchange, response, ...found })
    }
    const shown = this.leads.add(incoming.wire, this.params.show(response))
    return { action: 'replay', response: shown, delayMs }
  }

  #record(incoming: Incoming, order: number, callSite?: Error): Answer {
    const isLate = this.late.has(order)
    const keep = (): Promise<void> => this.#keep(asked, isLate)
    const recording: Recording = { incoming, callSite, leads: this.leads, keep }
    const asked = { order, recording }
    if (isLate) return this.late.record(asked, recording)
    this.#asked.push(asked)
    return { action: 'record', recording, done: (result) => this.#pending.add(result) }
  }

  #refuse(incoming: Incoming, reason: Miss['reason'], callSite?: Error, notKept?: string): Answer {
    const matcher = this.#matcher
    const why = matcher && whyMissed(matcher, this.bindings, incoming, this.config)
    const miss: Miss = { reason, incoming, callSite, notKept, ...why }
    // After the verdict nothing can be added to it.
    if (reason === 'closed') this.late.hear({ miss })
    else this.misses.push(miss)
    return { action: 'refuse', miss }
  }
}
