import type { Cassette } from '../cassette/cassette.ts'
import type { Environment } from '../config/environment.ts'
import type { TestOptions } from '../config/options.ts'
import type { resolveConfig, ResolvedConfig } from '../config/resolved-config.ts'
import type { Miss } from '../engine/session-contract.ts'
import type { Params } from '../conversation/params.ts'
import type { Recording } from '../engine/recording.ts'
import type { Session } from '../engine/session.ts'
import type { CassetteError } from '../errors.ts'
import type { AttemptOutcome } from '../explain/judge-attempt.ts'
import type { ReplayByHash } from '../replay/replay-by-hash.ts'
import type { WireRequest } from '../wire/message.ts'
import type { Ended, Host, OpenSession, Owner } from './owner.ts'

/** A call that code of another attempt made in the place of this one. */
export interface LentCall {
  from: Attempt
  /** Set where it is recorded. */
  recording?: Recording
  /** Set where it is recorded, and its answer can be followed. */
  call?: { waiter?: Attempt }
  /** Set where nothing answers it. */
  miss?: Miss
}

/**
 * One attempt of one test, or of a file outside of its tests, or a program while its cassette is open. Most tests
 * never call a model, so the session opens on demand.
 */
export class Attempt {
  readonly owner: Owner
  readonly #host: Host
  readonly #isLeftOut: boolean
  #config: ResolvedConfig
  /** The first request to each host that passed, before an LLM call was made there. */
  readonly passed: Map<string, string> = new Map()
  /** The calls that code of other attempts made in its place. */
  readonly lent: LentCall[] = []
  #open?: OpenSession
  /** Replays in its place until something else is asked; `none` where that is not possible. */
  #sealed?: ReplayByHash | 'none'
  /** The parameters that were declared before anything was asked. */
  params?: Params
  /** The error that fails this attempt; opening its session can be what went wrong. */
  #error?: CassetteError
  /** The number of the last request that still counts. */
  #endsAt = Infinity
  #isLeft = false

  /**
   * @param config the configuration until the test sets options of its own
   * @param isLeftOut the attempt replays, whatever the run records: `record` leaves out attempts and not files, whose
   * later tests may need the earlier ones
   */
  constructor(owner: Owner, config: ResolvedConfig, host: Host, isLeftOut: boolean = false) {
    this.owner = owner
    this.#config = isLeftOut ? { ...config, mode: 'replay', renews: false } : config
    this.#host = host
    this.#isLeftOut = isLeftOut
  }

  /** The session, opened on first access. */
  get session(): Session {
    if (this.#open) return this.#open.session
    this.#open = this.#host.open(this.owner, this.#config, this.#started, this.params)
    this.#open.session.end(this.#endsAt, this.#isLeft)
    if (this.#error) this.#open.session.reject(this.#error)
    return this.#open.session
  }

  /** Its cassette, while nothing needs a session. */
  get sealed(): ReplayByHash | undefined {
    if (this.#open || this.#error) return undefined
    this.#sealed ??= this.#host.openSealed?.(this.owner, this.#config, this.params) ?? 'none'
    return this.#started
  }

  get #started(): ReplayByHash | undefined {
    return this.#sealed === 'none' ? undefined : this.#sealed
  }

  /** Its cassette, where every exchange was replayed by its hash, and nothing else was asked. */
  get replayed(): ReplayByHash | undefined {
    return !this.#open && !this.#error && this.#started?.isDone ? this.#started : undefined
  }

  /** True when at least one request counted. */
  get wasAsked(): boolean {
    return (
      this.#error !== undefined ||
      (this.#open?.session.wasAsked ?? this.#started?.wasAsked ?? false)
    )
  }

  get config(): ResolvedConfig {
    return this.#open?.session.config ?? this.#config
  }

  /**
   * Changes options for this attempt alone; they have been checked.
   *
   * @param resolve loads with what reads options
   * @throws CassetteError as {@link Session.configure} does.
   */
  configure(options: TestOptions, environment: Environment, resolve: typeof resolveConfig): void {
    const own = this.#isLeftOut ? { ...environment, record: 'replay' } : environment
    if (this.isRunning) this.session.configure(options, own)
    else {
      this.#config = resolve({ ...this.#config, ...options }, own)
      this.#sealed = undefined
    }
  }

  /** Whether its session decides what can still be set. */
  get isRunning(): boolean {
    return this.#open !== undefined || this.#started?.wasAsked || this.#endsAt < Infinity
  }

  /** Sets the parameters that were declared before anything was asked. */
  declare(params: Params): void {
    this.params = params
    this.#sealed = undefined
  }

  /** Fails this attempt with an error. */
  reject(error: CassetteError): void {
    try {
      this.session.reject(error)
    } catch {
      this.fail(error)
    }
  }

  /** As {@link reject}, where what opens the session can be what failed. After the end, the error fails the run. */
  fail(error: CassetteError): void {
    if (this.#endsAt < 0 || this.#isLeft) void Promise.reject(error)
    else this.#error ??= error
  }

  /** Whether an answer of this attempt leads to an address. */
  leadsTo(url: string): boolean {
    return this.#open?.session.leads.to(url) !== undefined
  }

  /** Its cassette; `undefined` where it has none, or where its answers are recorded afresh. */
  get held(): Cassette | undefined {
    const { mode } = this.config
    if (mode === 'all' || mode === 'off' || !this.owner.hasCassette(this.config)) return undefined
    return this.sealed?.cassette ?? this.session.held
  }

  /** The requests that it made. */
  get arrived(): WireRequest[] {
    if (!this.#open) return this.#started?.requests ?? []
    return this.#open.session.arrived.map((asked) => (asked.recording ?? asked).incoming.wire)
  }

  /** Whether a request comes too late for it. */
  isOver(order: number): boolean {
    return order > this.#endsAt
  }

  /** The test has ended: requests that are created after this one come too late. */
  end(order: number): void {
    this.#endsAt = Math.min(this.#endsAt, order)
    this.#open?.session.end(order)
  }

  /** Answers that are being recorded are waited for some seconds from here on. */
  endWaiting(): void {
    this.#open?.session.endWaiting()
  }

  /** As {@link end}, for a file whose tests are left out: its cassette answers what its modules go on to ask. */
  leave(order: number): void {
    this.#endsAt = order
    this.#isLeft = true
    this.#open?.session.end(order, true)
  }

  /** Whether its tests were left out, and its modules may go on to ask. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Ends the attempt without a verdict: every request comes too late. */
  abandon(): void {
    this.end(-1)
  }

  /**
   * Waits for the answers that are still being recorded, judges the attempt, and writes its recording. Most attempts
   * replay their whole cassette and nothing else: they need no verdict.
   */
  async close(outcome: AttemptOutcome): Promise<Ended> {
    if (outcome.passed && this.replayed) {
      this.end(-1)
      return {}
    }
    const { session } = this
    await session.waitForAnswers()
    this.end(-1)
    const isPlain =
      outcome.passed && this.#host.onlyReplayed(session) && session.config.run?.by !== 'doctor'
    return isPlain ? {} : this.#host.close(this.#open!, outcome)
  }
}
