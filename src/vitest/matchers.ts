import { toHaveAsked } from './to-have-asked.ts'
import { toHaveCalledTool } from './to-have-called-tool.ts'
import { toHaveTakenAtMost, type Limits } from './to-have-taken-at-most.ts'
import { toHaveTurns } from './to-have-turns.ts'

/** What the set-up registers for every test file. */
export const matchers = { toHaveAsked, toHaveCalledTool, toHaveTakenAtMost, toHaveTurns }

/** The matchers of the cassette of a test: `expect(cassette).…`. */
export interface CassetteMatchers {
  /**
   * Some prompt of the test held this text: in a message of any role, a tool call or its result, or the
   * definition of a tool.
   *
   * @example expect(cassette).toHaveAsked(/order \d+/)
   */
  toHaveAsked(text: string | RegExp): void
  /**
   * The model called a tool; with arguments that equal these, where they are given. Asymmetric matchers
   * may stand for them or in them.
   *
   * @example expect(cassette).toHaveCalledTool('look_up_order', { id: 7 })
   */
  toHaveCalledTool(name: string, args?: unknown): void
  /**
   * The test took at most this many calls of a model, tokens (asked and answered), and US cents. Tokens
   * and costs that are unknown are never taken for zero: they fail, under `.not` as well.
   *
   * @example expect(cassette).toHaveTakenAtMost({ calls: 3, tokens: 2_000, cents: 1 })
   */
  toHaveTakenAtMost(limits: Limits): void
  /**
   * A user spoke this often: in all conversations of the test, or in one of `cassette.conversations()`.
   *
   * @example expect(cassette).toHaveTurns(3)
   */
  toHaveTurns(count: number): void
}

declare global {
  // Vitest 4 and 5 give `Matchers` other parameters, and both give every assertion the methods of chai's.
  namespace Chai {
    interface Assertion extends CassetteMatchers {}
  }
}
