import type { ParamValues } from '../../../config/check-params.ts'
import type { TestOptions } from '../../../config/options.ts'
import type { UsageTotal } from '../../../conversation/cost.ts'
import type { AskedConversation, AskedExchange } from '../../../recording/asked.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError } from '../../../errors.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { layers } from '../../../transports/layers.ts'
import { loadLater } from '../../../real/load-later.ts'

const loadOptions = loadLater('./options.mjs', () => import('./set-options.ts'))

/**
 * The cassette of a test, seen from inside the test: `test('…', async ({ cassette }) => …)`, or the return
 * value of `useCassette()`. It looks up its test on each use.
 */
export interface TestCassette {
  /**
   * Sets options for this attempt of this test. A list replaces the list of the file.
   * `RECORD` wins over `mode`, as it does everywhere.
   *
   * @throws CassetteError `invalid-option` for options that a test does not have, and for all but
   * `unused`, `invalid` and `recordErrors` once the test has made a request.
   */
  use(options: TestOptions): this

  /**
   * Declares values that run through the conversation, such as the id of an order that each run creates
   * anew. The cassette stores `{{orderId}}` in their place, in prompts and answers, and replays for every value.
   *
   * @throws CassetteError `invalid-option` for values that cannot be told from other text (fewer than three
   * characters or four digits, two that are equal), and once the test has made a request.
   * @example
   * cassette.params({ orderId: order.id, customer: 'Ada Lovelace' })
   */
  params(values: ParamValues): this

  /**
   * The exchanges of the test so far, in the order of their requests. Exchanges whose answer is still arriving
   * and requests without an answer are left out.
   *
   * @throws CassetteError `unobserved` in mode `off`, where requests pass unseen.
   */
  readonly exchanges: AskedExchange[]

  /**
   * The conversations of the test, in the order in which they began. Each message appears once, turns are
   * counted, and tool calls are paired with their results.
   *
   * @throws CassetteError `unobserved` in mode `off`.
   */
  conversations(): AskedConversation[]

  /**
   * The usage of the test so far, replayed or not: exchanges, tokens, US dollars, and the milliseconds of the
   * recording. Exchanges of unknown cost or tokens are counted in `unpriced` and `uncounted`.
   *
   * @param exchanges counts these alone
   * @throws CassetteError `unobserved` in mode `off`.
   */
  usage(exchanges?: readonly AskedExchange[]): UsageTotal

  /**
   * The cost of the answers in US dollars; `undefined` if the cost of one is unknown. The option `prices`
   * sets the prices of models that have none.
   *
   * @throws CassetteError `unobserved` in mode `off`.
   */
  cost(): number | undefined

  /**
   * The address at which this cassette answers in place of `upstream`. It is for programs that a test starts and
   * that take their base URL from elsewhere than the environment: the environment contains it already.
   *
   * @throws CassetteError `invalid-option` if `upstream` is not an address
   * @example
   * spawn('my-agent', ['--base-url', cassette.baseUrl('https://api.openai.com/v1')])
   */
  baseUrl(upstream: string): string

  /**
   * The headers that tell an application server which test a request belongs to: a server that `beforeAll` has started
   * as a process of its own, and that all tests of a file ask. Empty in mode `off`.
   *
   * @example
   * await fetch(server, { method: 'POST', headers: cassette.headers, body: question })
   */
  readonly headers: Readonly<Record<string, string>>
}

type Engine = Pick<
  ReturnType<typeof layers.engine>,
  'exchangesOf' | 'askedConversations' | 'usageOfAsked'
>

/** What it needs of the attempt of its test. */
type OwnAttempt = Pick<Attempt, 'configure' | 'declare' | 'isRunning' | 'params' | 'session'>

/** The implementation of {@link TestCassette}. */
export class RunningCassette implements TestCassette {
  readonly #attempt: () => OwnAttempt
  readonly #engine: () => Engine

  /** @param engine loads the engine, which reads prompts and answers */
  constructor(attempt: () => OwnAttempt, engine: () => Engine = layers.engine) {
    this.#attempt = attempt
    this.#engine = engine
  }

  /** True for the cassettes of any copy of this package. */
  static isInstance(received: unknown): received is RunningCassette {
    return typeof received === 'object' && received !== null && 'isTestCassette' in received
  }

  /** Marks it for other copies of this package. */
  get isTestCassette(): true {
    return true
  }

  use(options: TestOptions): this {
    loadOptions().checkAndSetOptions(this.#attempt(), options)
    return this
  }

  params(values: ParamValues): this {
    layers.replay().declareParams(this.#attempt(), values)
    return this
  }

  baseUrl(upstream: string): string {
    return layers.connections().baseUrlFor(this.#attempt() as Attempt, upstream)
  }

  get headers(): Record<string, string> {
    const attempt = this.#attempt() as Attempt
    if (attempt.config.mode === 'off') return {}
    const { gatewayBaseFor, VISITOR_HEADER } = layers.connections()
    return { [VISITOR_HEADER]: gatewayBaseFor(attempt) }
  }

  get exchanges(): AskedExchange[] {
    const session = this.#observed()
    return this.#engine().exchangesOf(session)
  }

  conversations(): AskedConversation[] {
    const session = this.#observed()
    return this.#engine().askedConversations(session)
  }

  usage(exchanges: readonly AskedExchange[] = this.exchanges): UsageTotal {
    const session = this.#observed()
    return this.#engine().usageOfAsked(session, exchanges)
  }

  cost(): number | undefined {
    const { cost, unpriced } = this.usage()
    return unpriced > 0 ? undefined : cost
  }

  /** The session. Refuses mode `off`, since unobserved requests must not count as zero. */
  #observed(): Session {
    const { session } = this.#attempt()
    if (session.config.mode !== 'off') return session
    throw new CassetteError(
      'unobserved',
      `The test "${session.test.id}" runs with mode off, where requests pass unseen: nothing can be said about them. ` +
        'Run it without RECORD=off.',
    )
  }
}
