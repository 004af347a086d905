import { quoteWord } from '../../text/command-line.ts'
import { enclose, promised } from './enclose.ts'
import { type CassetteTest, type FileCassettes, runWithCassette } from './file-cassettes.ts'
import { ProcessCassettes } from './process-cassettes.ts'
import { chosenBy } from './runner-owner.ts'

export { setCassetteOptions } from './process-cassettes.ts'
export type { RunnerOptions } from './file-cassettes.ts'

type Callback = (error?: unknown) => void
type Runs = (this: MochaContext, done?: Callback) => unknown

/** A test or a hook of mocha. */
interface Runnable {
  fn?: Runs
  file?: string
  parent?: Suite
  async?: unknown
  sync?: boolean
  pending?: boolean
  titlePath(): string[]
  currentRetry(): number
  retries(): number
}

interface Suite {
  file?: string
  parent?: Suite
  suites: Suite[]
  tests: Runnable[]
  _beforeAll: Runnable[]
  _beforeEach: Runnable[]
  _afterEach: Runnable[]
  _afterAll: Runnable[]
}

interface MochaContext {
  test: Runnable
  currentTest?: Runnable
}

const cassettes = new ProcessCassettes(command)

/** The test that runs, of which mocha runs one at a time. */
let running: { test: CassetteTest; file: FileCassettes } | undefined

/**
 * The root hooks by which each test has a cassette: LLM calls are recorded into it and replayed from it, and a changed
 * prompt fails the test with the diff, also where the test catches the error.
 *
 * @example
 * npx mocha --require vitest-cassette/mocha
 */
export const mochaHooks = {
  beforeAll(this: MochaContext): void {
    wrapSuite(rootOf(this.test))
  },
  beforeEach(this: MochaContext): void {
    const test = this.currentTest!
    const file = cassettes.of(fileOf(test))
    file.enter()
    if (running) void abandon()
    running = { file, test: file.begin(test.titlePath(), test.fn, { isAlone: true }) }
  },
  async afterEach(): Promise<void> {
    await abandon()
  },
  async afterAll(): Promise<void> {
    await cassettes.end()
  },
}

/** Ends a test that mocha has ended: for its time, or for an error outside of its function. */
async function abandon(): Promise<void> {
  const ended = running
  running = undefined
  await ended?.test.end({ errors: [new Error('ended by mocha')] })
}

/** Lets all tests and hooks run with their cassettes. */
function wrapSuite(suite: Suite): void {
  // Hooks of the root belong to no file, so that what they ask is refused.
  const file = suite.parent && cassettes.of(fileOf(suite.tests[0] ?? { parent: suite }))
  for (const hook of [suite._beforeAll, suite._afterAll].flat())
    hook.fn &&= enclose(hook.fn, (run) => (file ? file.run(run) : run()))
  for (const hook of [suite._beforeEach, suite._afterEach].flat())
    hook.fn &&= enclose(hook.fn, (run) => (running ? running.test.run(run) : run()))
  for (const test of suite.tests) wrapTest(test)
  for (const inner of suite.suites) wrapSuite(inner)
}

function wrapTest(test: Runnable): void {
  const { fn } = test
  if (!fn) return
  test.fn = function (this: MochaContext) {
    const { test: own } = running!
    const current = this.test
    const run = (): unknown =>
      fn.length === 0 ? fn.call(this) : promised((done) => fn.call(this, done))
    return runWithCassette(own, run, {
      isSkipped: () => current.pending === true,
      isTriedAgain: () => current.currentRetry() < current.retries(),
    }).catch((error: unknown) => {
      // Mocha skips what says so, even if it fails afterwards.
      if ((error as { isCassetteError?: true }).isCassetteError) current.pending = false
      throw error
    })
  }
  test.async = false
  test.sync = true
}

function rootOf({ parent }: Runnable): Suite {
  let suite = parent!
  while (suite.parent) suite = suite.parent
  return suite
}

function fileOf({ file, parent }: Pick<Runnable, 'file' | 'parent'>): string {
  let found = file
  for (let suite = parent; suite && !found; suite = suite.parent) found = suite.file
  return found ?? ''
}

function command(file: string, titles: readonly string[]): string {
  return `npx mocha ${quoteWord(file)}${chosenBy('--grep', titles)}`
}
