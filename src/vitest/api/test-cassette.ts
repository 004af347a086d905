import { readEnvironment } from '../../config/environment.ts'
import type { ParamValues } from '../../config/check-params.ts'
import type { TestOptions } from '../../config/options.ts'
import type { UsageTotal } from '../../conversation/cost/usage.ts'
import type { AskedConversation } from '../../engine/turns/asked-conversation.ts'
import type { AskedExchange } from '../../engine/turns/asked-exchange.ts'
import type { Session } from '../../engine/session.ts'
import { CassetteError } from '../../errors.ts'
import type { Attempt } from '../../host/attempt.ts'
import { layers } from '../../intercept/answer/layers.ts'
import { loadLater } from '../../intercept/patch/load-later.ts'
import { baseUrlFor } from '../../intercept/redirect/base-url.ts'

const loadOptions = loadLater('./options.mjs', () => import('./check-options.ts'))

declare module 'vitest' {
  interface TestContext {
    /** The cassette of this test: its options, and what the test asked and got. */
    cassette: TestCassette
  }
}

/**
 * The cassette of a test, seen from inside the test: `test('…', async ({ cassette }) => …)`, or what
 * `useCassette()` returns. It looks its test up when it is asked for something.
 */
export interface TestCassette {
  /**
   * Sets options for this attempt of this test. A list takes the place of the one that holds for the file.
   * `RECORD` wins over `mode`, as it does everywhere.
   *
   * @throws CassetteError `invalid-option` for options that a test does not have, and for all but
   * `unused` and `recordErrors` once the test has made a request.
   */
  use(options: TestOptions): this

  /**
   * Declares values that run through the conversation, such as the id of an order that each run makes
   * anew: the cassette says `{{orderId}}` in their place, in prompts and answers, and serves every value.
   *
   * @throws CassetteError `invalid-option` for values that cannot be told from other text (fewer than three
   * characters or four digits, two that are equal), and once the test has made a request.
   * @example
   * cassette.params({ orderId: order.id, customer: 'Ada Lovelace' })
   */
  params(values: ParamValues): this

  /**
   * What the test asked and got so far, in the order asked. Answers that are still arriving and requests
   * that nothing answered are not among them.
   *
   * @throws CassetteError `unobserved` in mode `off`, where requests pass unseen.
   */
  readonly exchanges: AskedExchange[]

  /**
   * The conversations of the test, in the order in which they began: what was said, each thing once, with
   * turns counted and tool calls paired with what the application sent back for them.
   *
   * @throws CassetteError `unobserved` in mode `off`.
   */
  conversations(): AskedConversation[]

  /**
   * What the test took so far, whether it was replayed or not: exchanges, tokens, US dollars, and the
   * milliseconds of the recording. What is not known is counted beside it: `unpriced`, `uncounted`.
   *
   * @param exchanges counts these alone
   * @throws CassetteError `unobserved` in mode `off`.
   */
  usage(exchanges?: readonly AskedExchange[]): UsageTotal

  /**
   * What the answers cost in US dollars; `undefined` where the cost of one is unknown. The option
   * `prices` names models that have no price.
   *
   * @throws CassetteError `unobserved` in mode `off`.
   */
  cost(): number | undefined

  /**
   * The address at which this cassette answers for another one, for programs that a test starts and that take their
   * base URL from elsewhere than the environment; those that look there find it without.
   *
   * @throws CassetteError `invalid-option` for what is no address
   * @example
   * spawn('my-agent', ['--base-url', cassette.baseUrl('https://api.openai.com/v1')])
   */
  baseUrl(upstream: string): string
}

type Engine = Pick<ReturnType<typeof layers.engine>, 'exchangesOf' | 'conversationsOf' | 'usageOf'>

/** What stands behind it. */
export class RunningCassette implements TestCassette {
  readonly #attempt: () => Pick<Attempt, 'configure' | 'session'>
  readonly #engine: () => Engine

  /** @param engine loads what reads prompts and answers */
  constructor(
    attempt: () => Pick<Attempt, 'configure' | 'session'>,
    engine: () => Engine = layers.engine,
  ) {
    this.#attempt = attempt
    this.#engine = engine
  }

  use(options: TestOptions): this {
    const checked = loadOptions().checkTestOptions(options)
    this.#attempt().configure(checked, readEnvironment(process.env))
    return this
  }

  params(values: ParamValues): this {
    this.#attempt().session.declare(values)
    return this
  }

  baseUrl(upstream: string): string {
    return baseUrlFor(this.#attempt() as Attempt, upstream)
  }

  get exchanges(): AskedExchange[] {
    const session = this.#observed()
    return this.#engine().exchangesOf(session)
  }

  conversations(): AskedConversation[] {
    const session = this.#observed()
    return this.#engine().conversationsOf(session)
  }

  usage(exchanges: readonly AskedExchange[] = this.exchanges): UsageTotal {
    const session = this.#observed()
    return this.#engine().usageOf(session, exchanges)
  }

  cost(): number | undefined {
    const { cost, unpriced } = this.usage()
    return unpriced > 0 ? undefined : cost
  }

  /** What was not seen must not count as nothing. */
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
