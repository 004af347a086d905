import node from 'node:test'
import { quoteWord } from '../../text/command-line.ts'
import { existsSync } from '../../real/files.ts'
import { promised } from './enclose.ts'
import { runWithCassette } from './file-cassettes.ts'
import { ProcessCassettes } from './process-cassettes.ts'
import { chosenBy } from './runner-owner.ts'

export { setCassetteOptions } from './process-cassettes.ts'
export type { RunnerOptions } from './file-cassettes.ts'
export { after, afterEach, before, beforeEach, describe, mock, run, suite } from 'node:test'

type Test = typeof node.test
type TestFunction = (context: Context, done?: (error?: unknown) => void) => unknown

/** What Node tells a test of itself. */
interface Context {
  name: string
  fullName: string
  filePath?: string
  skip(message?: string): void
  todo(message?: string): void
}

const cassettes = new ProcessCassettes(command)

/** The test file of this process; `undefined` where Node runs several in one, so that a hook may be of any. */
const [, ownFile] = process.argv
const isOneFile = !process.execArgv.some((word) =>
  /^--(experimental-)?test-isolation=none$/.test(word),
)
if (isOneFile && ownFile && existsSync(ownFile)) cassettes.of(ownFile).enter()

node.after(() => cassettes.end())

/** The kinds of tests that Node runs. It counts no failure of the last two. */
const KINDS = { only: false, todo: true, expectFailure: true } as Record<string, boolean>

/**
 * The `test` of `node:test`, whose tests have a cassette each: LLM calls are recorded into it and replayed from it, and a
 * changed prompt fails the test with the diff, also where the test catches the error. Subtests ask the cassette of their
 * test.
 *
 * @example
 * import { test } from 'vitest-cassette/node-test'
 *
 * test('summarizes', async () => {
 *   assert.match(await summarize('report.txt'), /moons/)
 * })
 */
const testWithCassette: Test = wrap(node.test, false)

export { testWithCassette as test, testWithCassette as it, testWithCassette as default }

/** Wraps a function that declares tests, and those that it has. */
function wrap<Declare extends (...args: never[]) => unknown>(
  base: Declare,
  isMild: boolean,
): Declare {
  const declare = (...args: unknown[]): unknown => {
    const at = args.findIndex((one) => typeof one === 'function')
    if (at === -1) return base(...(args as never[]))
    const own = args[at] as TestFunction
    const options = args.find((one) => typeof one === 'object' && one !== null) ?? {}
    const { todo, expectFailure } = options as Record<string, unknown>
    const isOurs = isMild || Boolean(todo || expectFailure)
    const wrapped = (context: Context): Promise<unknown> => runTest(own, context, wrapped, isOurs)
    Object.defineProperty(wrapped, 'name', { value: own.name })
    return base(...(args.with(at, wrapped) as never[]))
  }
  const others = Object.entries(base).map(([name, value]) => {
    if (value === node.test) return [name, declare]
    return [name, name in KINDS ? wrap(value as Declare, KINDS[name]!) : (value as unknown)]
  })
  return Object.assign(declare, Object.fromEntries(others)) as unknown as Declare
}

/**
 * Runs a test.
 *
 * @param isMild whether Node counts no failure of the test
 */
async function runTest(
  own: TestFunction,
  context: Context,
  identity: unknown,
  isMild: boolean,
): Promise<unknown> {
  const { file, titles } = placeOf(context)
  const ofFile = cassettes.of(file)
  let isSkipped = false
  let isKept = isMild
  const { skip, todo } = context
  context.skip = (message) => {
    isSkipped = true
    skip.call(context, message)
  }
  context.todo = (message) => {
    isKept = true
    todo.call(context, message)
  }
  const run = (): unknown =>
    own.length < 2
      ? own.call(context, context)
      : promised((done) => own.call(context, context, done))
  return runWithCassette(ofFile.begin(titles, identity), run, {
    isSkipped: () => isSkipped,
    keep: (failure) => isKept && (ofFile.keep(failure), true),
  })
}

/** The place of a test. Its suites are known by their names alone. */
function placeOf({ name, fullName, filePath }: Context): { file: string; titles: string[] } {
  const suites = fullName.slice(0, -name.length).split(' > ').slice(0, -1)
  return { file: filePath ?? ownFile!, titles: [...suites, name] }
}

function command(file: string, titles: readonly string[]): string {
  return `node --test${chosenBy('--test-name-pattern', titles)} ${quoteWord(file)}`
}
