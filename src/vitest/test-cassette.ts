import { readEnvironment } from '../config/environment.ts'
import type { TestOptions } from '../config/options.ts'
import type { AskedExchange } from '../engine/asked.ts'
import type { Session } from '../engine/session.ts'
import { CassetteError } from '../errors.ts'

declare module 'vitest' {
  interface TestContext {
    /** The cassette of this test: its options, and what the test asked and got. */
    cassette: TestCassette
  }
}

/**
 * The cassette of a test, seen from inside the test: `test('…', async ({ cassette }) => …)`, or what
 * `useCassette()` returns. It looks its session up when it is asked for something.
 */
export class TestCassette {
  readonly #session: () => Session

  constructor(session: () => Session) {
    this.#session = session
  }

  /**
   * Sets options for this attempt of this test. A list takes the place of the one that holds for the file.
   * `RECORD` wins over `mode`, as it does everywhere.
   *
   * @throws CassetteError `invalid-option` for options that a test does not have, and for all but
   * `unused` and `recordErrors` once the test has made a request.
   */
  use(options: TestOptions): this {
    this.#session().configure(options, readEnvironment(process.env))
    return this
  }

  /**
   * What the test asked and got so far, in the order asked. Answers that are still arriving and requests
   * that nothing answered are not among them.
   *
   * @throws CassetteError `unobserved` in mode `off`, where requests pass unseen.
   */
  get exchanges(): AskedExchange[] {
    return this.#observed().exchanges
  }

  /** What was not seen must not count as nothing. */
  #observed(): Session {
    const session = this.#session()
    if (session.config.mode !== 'off') return session
    throw new CassetteError(
      'unobserved',
      `The test "${session.test.id}" runs with mode off, where requests pass unseen: nothing can be said about them. ` +
        'Run it without RECORD=off.',
    )
  }
}
