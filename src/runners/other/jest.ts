import { createRequire } from 'node:module'
import { join } from '../../real/path.ts'
import { quoteWord } from '../../text/command-line.ts'
import { CassetteError } from '../../errors.ts'
import type { HasEnvironment } from '../lending.ts'
import { enclose } from './enclose.ts'
import {
  endCassettes,
  errorOfFailure,
  FileCassettes,
  type RunnerOptions,
  type CassetteTest,
} from './file-cassettes.ts'
import { chosenBy } from './runner-owner.ts'

export type { RunnerOptions } from './file-cassettes.ts'

type Runs = (this: unknown, ...args: unknown[]) => unknown

/** A test of Jest's runner, circus. */
interface CircusTest {
  type: 'test'
  name: string
  fn?: Runs
  concurrent?: boolean
  errors: unknown[]
  invocations: number
  parent: CircusSuite
}

interface CircusSuite {
  type: 'describeBlock'
  name: string
  parent?: CircusSuite
  children: Array<CircusSuite | CircusTest>
  hooks: Array<{ fn: Runs; type: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll' }>
}

interface CircusEvent {
  name: string
  test: CircusTest
}

interface CircusState {
  rootDescribeBlock: CircusSuite
  unhandledErrors: unknown[]
}

interface Environment {
  global: { process: HasEnvironment; [name: symbol]: unknown }
  setup(): Promise<void>
  teardown(): Promise<void>
  handleTestEvent?(event: never, state: never): unknown
}

type EnvironmentClass = new (...args: any[]) => Environment

/** What Jest tells an environment of its file. */
interface Given {
  projectConfig: { rootDir: string; testEnvironmentOptions: { cassettes?: RunnerOptions } }
}

/** Where Jest keeps the number of `jest.retryTimes()`. */
const RETRIES = Symbol.for('RETRY_TIMES')

/** A test, and its place among those of the same name. */
interface Named {
  titles: string[]
  ordinal: number
}

/**
 * An environment of Jest whose tests have a cassette each: LLM calls are recorded into it and replayed from it, and a
 * changed prompt fails the test with the diff, also where the test catches the error.
 *
 * @param Base the environment to extend, such as that of jsdom
 * @param ownOptions options for all files. Unlike those in the config of Jest, which it sends to its workers as JSON, they
 *   may have regular expressions and functions.
 * @example
 * // jest-environment.mjs
 * import { TestEnvironment } from 'jest-environment-jsdom'
 * import { withCassettes } from 'vitest-cassette/jest'
 *
 * export default withCassettes(TestEnvironment)
 */
export function withCassettes<Base extends EnvironmentClass>(
  Base: Base,
  ownOptions: RunnerOptions = {},
): Base {
  class CassetteEnvironment extends (Base as EnvironmentClass) {
    readonly #make: () => FileCassettes
    #file!: FileCassettes
    readonly #named = new Map<CircusTest, Named>()
    readonly #running = new Map<CircusTest, CassetteTest>()
    /** The errors of tests that Jest runs once, and asks for each of their attempts. */
    readonly #settled = new Map<CircusTest, CassetteError | undefined>()
    #current?: CassetteTest

    constructor(...args: any[]) {
      super(...args)
      const [{ projectConfig }, { testPath: file }] = args as [Given, { testPath: string }]
      const { rootDir: root, testEnvironmentOptions } = projectConfig
      const options = { ...ownOptions, ...testEnvironmentOptions.cassettes }
      this.#make = () => {
        const { process } = this.global
        return new FileCassettes({ file, root, command, options, process })
      }
    }

    override async setup(): Promise<void> {
      await super.setup()
      this.#file = this.#make()
      this.#file.enter()
    }

    override async teardown(): Promise<void> {
      endCassettes()
      await super.teardown()
    }

    override async handleTestEvent(event: CircusEvent, state: CircusState): Promise<void> {
      await super.handleTestEvent?.(event as never, state as never)
      const { name, test } = event
      if (name === 'run_start') this.#wrapSuite(state.rootDescribeBlock, [], new Map())
      if (name === 'test_start' && test.fn) this.#current = this.#begin(test)
      if (name === 'test_skip') await this.#leave(test)
      if (name === 'test_done') await this.#end(test)
      if (name === 'run_finish')
        for (const failure of await this.#file.end())
          state.unhandledErrors.push(errorOfFailure(failure))
    }

    #begin(test: CircusTest): CassetteTest {
      const known = this.#running.get(test)
      if (known) return known
      const { titles, ordinal } = this.#named.get(test)!
      const options = { ordinal, isAlone: !test.concurrent }
      const begun = this.#file.begin(titles, test, options)
      this.#running.set(test, begun)
      return begun
    }

    async #leave(test: CircusTest): Promise<void> {
      this.#file.skip()
      await this.#running.get(test)?.end({ errors: [], isSkipped: true })
      this.#running.delete(test)
      this.#current = undefined
    }

    async #end(test: CircusTest): Promise<void> {
      this.#current = undefined
      let error = this.#settled.get(test)
      if (!this.#settled.has(test)) {
        const errors = test.errors.map((one) => (Array.isArray(one) ? (one[0] ?? one[1]) : one))
        const { [RETRIES]: retries = 0 } = this.global as { [RETRIES]?: number }
        const isTriedAgain = test.invocations <= Number(retries)
        const failure = await this.#running.get(test)?.end({ errors, isTriedAgain })
        this.#running.delete(test)
        error = failure && errorOfFailure(failure, errors)
        // Jest starts the function of such a test once, whatever the number of its attempts.
        if (test.concurrent) this.#settled.set(test, error)
      }
      if (error) test.errors.splice(0, Infinity, error)
    }

    /** Lets all tests and hooks run with their cassettes. */
    #wrapSuite(suite: CircusSuite, above: readonly string[], counts: Map<string, number>): void {
      for (const hook of suite.hooks) {
        const isOfFile = hook.type.endsWith('All')
        hook.fn = enclose(hook.fn, (run) =>
          (isOfFile ? this.#file : (this.#current ?? this.#file)).run(run),
        )
      }
      for (const child of suite.children) {
        const titles = [...above, child.name]
        if (child.type === 'describeBlock') {
          this.#wrapSuite(child, titles, counts)
          continue
        }
        const key = JSON.stringify(titles)
        const ordinal = counts.get(key) ?? 0
        counts.set(key, ordinal + 1)
        this.#named.set(child, { titles, ordinal })
        if (child.fn) child.fn = enclose(child.fn, (run) => this.#begin(child).run(run))
      }
    }
  }
  return CassetteEnvironment as unknown as Base
}

/** The environment of Node, whose tests have a cassette each. Its name is the `testEnvironment` of the config. */
export const TestEnvironment: EnvironmentClass = withCassettes(environmentOfNode())

export default TestEnvironment

/** The environment that Jest brings along, found from Jest: package managers may hide it from others. */
function environmentOfNode(): EnvironmentClass {
  let load = createRequire(join(process.cwd(), 'package.json'))
  for (const next of ['jest', 'jest-cli', 'jest-config', '']) {
    try {
      const { TestEnvironment } = load('jest-environment-node') as {
        TestEnvironment: EnvironmentClass
      }
      return TestEnvironment
    } catch {
      try {
        load = createRequire(load.resolve(next))
      } catch {
        // The next one may be found from here as well.
      }
    }
  }
  throw new CassetteError(
    'refused',
    'jest-environment-node is not found, which the environment of vitest-cassette extends. Add it:\n  npm install -D jest-environment-node',
  )
}

function command(file: string, titles: readonly string[]): string {
  return `npx jest ${quoteWord(file)}${chosenBy('-t', titles)}`
}
