import type { expect } from 'vitest'
import type { AskedConversation } from '../../../recording/asked.ts'
import type { TestCassette } from './test-cassette.ts'
import { toHaveAsked } from './to-have-asked.ts'
import { toHaveCalledTool } from './to-have-called-tool.ts'
import { toHaveTakenAtMost, type Limits } from './to-have-taken-at-most.ts'
import { toHaveTurns } from './to-have-turns.ts'

/** The matchers that the set-up registers for every test file. */
export const matchers = { toHaveAsked, toHaveCalledTool, toHaveTakenAtMost, toHaveTurns }

/** The return type of `expect` for a `T`. The assertion types of Vitest's releases have different type parameters. */
type AssertionOf<T> = ReturnType<typeof expect<T>>

/** An argument of a matcher that accepts `Received` alone. It is `never` for any other received type. */
type On<T, Received, Argument> = T extends Received ? Argument : never

/** The matchers of the cassette of a test: `expect(cassette).…`. On anything else they do not compile. */
export interface CassetteMatchers {
  /**
   * Some prompt of the test held this text: in a message of any role, a tool call or its result, or the
   * definition of a tool.
   *
   * @example expect(cassette).toHaveAsked(/order \d+/)
   */
  toHaveAsked<T>(this: AssertionOf<T>, text: On<T, TestCassette, string | RegExp>): void
  /**
   * The model called a tool; with arguments that equal `args`, if given. Asymmetric matchers may stand for
   * the arguments or in them.
   *
   * @example expect(cassette).toHaveCalledTool('look_up_order', { id: 7 })
   */
  toHaveCalledTool<T>(this: AssertionOf<T>, name: On<T, TestCassette, string>, args?: unknown): void
  /**
   * The test took at most this many model calls, tokens (input and output), and US cents. Unknown tokens
   * and costs never count as zero: they fail, under `.not` as well.
   *
   * @example expect(cassette).toHaveTakenAtMost({ calls: 3, tokens: 2_000, cents: 1 })
   */
  toHaveTakenAtMost<T>(this: AssertionOf<T>, limits: On<T, TestCassette, Limits>): void
  /**
   * A user spoke this often: in all conversations of the test, or in one of `cassette.conversations()`.
   *
   * @example expect(cassette).toHaveTurns(3)
   */
  toHaveTurns<T>(this: AssertionOf<T>, count: On<T, TestCassette | AskedConversation, number>): void
}

// Here, where Vitest is imported: TypeScript drops this for Vitest 3.2, which takes the interface from another package, if
// it reads it before that of Vitest.
declare module 'vitest' {
  interface TestContext {
    /** The cassette of this test: its options and its exchanges. */
    cassette: TestCassette
  }
}

declare global {
  // Releases of Vitest give `Matchers` other parameters, and both give every assertion the methods of chai's.
  namespace Chai {
    interface Assertion extends CassetteMatchers {}
  }
}
