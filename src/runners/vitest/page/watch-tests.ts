import type { RunnerTestCase, RunnerTestSuite } from 'vitest'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { addressAt } from '../../../transports/address.ts'
import type { HostOptions } from '../../../transports/address.ts'
import type { PageCommands, PageVerdict, Why } from '../browser/page-commands.ts'
import { failTask } from '../setup/fail-task.ts'
import { outcomeOfFile, outcomeOfTest, StandingFailures } from '../setup/outcome.ts'
import { countSamples, nextSample, repeatTests } from '../setup/samples.ts'
import { placesIn } from '../setup/titles.ts'
import type { VitestHooks } from '../setup/vitest-hooks.ts'
import type { GatewayDestination } from './redirect-calls.ts'

/** A test that runs here. */
export interface RunningTest {
  /** Its base address at the gateway. */
  base: string
  /** Why a request of it was refused. */
  refused?: string
  /** The place of its last request. */
  asked?: Error
}

/** What runs where Node is not, shared by the files that run there. */
export interface TestsHere {
  /** The base address of the file. */
  file?: string
  tests: Set<RunningTest>
  /** Why something was refused outside of the tests. */
  refused?: string
  /** The options that identify LLM calls. Absent until calls are redirected. */
  options?: HostOptions
}

/** How tests run at one place. */
export interface Venue {
  here: TestsHere
  /** Opens and closes the attempts in the process of Vitest. */
  process: Pick<PageCommands, 'cassetteOpen' | 'cassetteClose'>
  /** The test that asks, where that is known. */
  asking?: () => RunningTest | undefined
  /** Runs a test so that {@link asking} tells it. */
  run?: (test: RunningTest, run: () => Promise<void>) => Promise<void>
  why: Why
}

/** Where the calls go that are made here: to the test that runs, or to its file. */
export function destinationOf({ here, asking, why }: Venue): GatewayDestination {
  return () => {
    const known = asking?.()
    const running = known ? [known] : [...here.tests]
    if (running.length > 1) {
      failRunning(here, why.several)
      return { refused: why.several }
    }
    const [test] = running
    if (test) test.asked = new Error('asked here')
    const base = test?.base ?? here.file
    if (base !== undefined) return { base }
    failRunning(here, why.outside)
    return { refused: why.outside }
  }
}

/** Fails the tests that run, or else the file. */
export function failRunning(here: TestsHere, problem: string): void {
  for (const one of here.tests.size > 0 ? here.tests : [here]) one.refused = problem
}

/**
 * Registers the hooks that give each test of a file its cassette, and fail it if they have to.
 *
 * @param vitest what the Vitest of the file exports
 */
export function watchTests(
  { here, process, run }: Venue,
  config: ResolvedConfig,
  vitest: Pick<VitestHooks, 'aroundAll' | 'TestRunner'>,
): void {
  here.options = config
  const standing = new StandingFailures<PageVerdict['failures'][number]>()
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  vitest.aroundAll(async (runSuite, {}, suite) => {
    const { file } = suite
    file.meta.isSetUp = true
    const base = await process.cassetteOpen({ filepath: file.filepath, titles: [], ordinal: 0 })
    // Requests to the gateway itself need no redirection.
    here.options = { ...config, allowHosts: [...config.allowHosts, new URL(base).host] }
    here.file = base
    // What a command leaves out is known in the process of Vitest alone.
    if (!config.run) repeatTests(suite, config.samples)
    await runSuite()
    here.file = undefined
    const { refused } = here
    here.refused = undefined
    const verdict = await process.cassetteClose(base, { ...outcomeOfFile(suite), refused })
    verdict.failures.push(...standing.outvoted())
    end(suite, verdict)
  })

  vitest.TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    const { filepath } = task.file
    const sample = task.repeats ? nextSample(task) : undefined
    const place = placesIn(task.file).get(task)!
    const base = await process.cassetteOpen({ filepath, ...place, sample })
    const own: RunningTest = { base }
    here.tests.add(own)
    Object.assign(task.context, {
      cassette: { baseUrl: (upstream: string) => addressAt(base, upstream) },
    })
    await (run ? run(own, runTest) : runTest())
    here.tests.delete(own)
    const { refused, asked } = own
    const verdict = await process.cassetteClose(base, { ...outcomeOfTest(task), refused })
    const failure = standing.take(task, verdict.failures[0])
    const { meta } = verdict
    const counts = meta && task.repeats ? countSamples(task, sample, meta) : meta
    const failures = failure ? [failure] : []
    end(task, { ...verdict, failures, ...(counts ? { meta: counts } : {}) }, asked)
  })
}

/**
 * Ends a test that ran here, and fails it if it has to.
 *
 * @param asked an error at the line that made the last request
 */
function end(
  task: RunnerTestCase | RunnerTestSuite,
  { failures: [first, ...others], meta, conversation }: PageVerdict,
  asked?: Error,
): void {
  if (conversation === undefined) delete task.meta.llmConversation
  else task.meta.llmConversation = conversation
  if (meta) task.meta.cassette = meta
  if (first)
    failTask(task, [first, ...others], (failure) => (failure === first ? framesOf(asked) : []))
}

function framesOf({ stack = '' }: Partial<Error> = {}): string[] {
  const lines = stack.split('\n').filter((line) => !line.includes('/vitest-cassette/'))
  return lines.slice(1)
}
