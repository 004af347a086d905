import type { RunnerTestCase, RunnerTestSuite } from 'vitest'
// All of it, since a page cannot import what an older release lacks, where mode `off` needs none of it.
import * as vitest from 'vitest'
import { commands } from 'vitest/browser'
import { addressAt } from '../../../transports/address.ts'
import type { HostOptions } from '../../../transports/answer.ts'
import { OUTSIDE, type PageCommands, type PageVerdict, SEVERAL } from '../browser/page-commands.ts'
import { failTask } from '../setup/fail-task.ts'
import { outcomeOfFile, outcomeOfTest, StandingFailures } from '../setup/outcome.ts'
import { placesIn } from '../setup/titles.ts'
import { visitFrames } from './frames.ts'
import { type GatewayDestination, type PageWindow, redirectCalls } from './redirect-calls.ts'
import { refuseWorkers } from './refuse-workers.ts'

// Runs in the page in which a browser runs a test file. The process of Vitest answers its requests.

/** The state of this page, shared by the files that it runs. */
interface State {
  /** The base address of the file. */
  file?: string
  /** The running tests by base address, with the place of their last request. */
  tests: Map<string, { refused?: string; asked?: Error }>
  /** Why something was refused outside of the tests. */
  refused?: string
  /** The options that identify LLM calls. Absent until calls are redirected. */
  options?: HostOptions
}

const { cassetteWatch, cassetteOpen, cassetteClose } = commands as unknown as PageCommands
const { aroundAll, inject, TestRunner } = vitest
const { config } = inject('vitest-cassette')!
const pages = globalThis as { __vitestCassette?: State }
const state: State = (pages.__vitestCassette ??= { tests: new Map() })

const destination: GatewayDestination = () => {
  const running = [...state.tests]
  if (running.length > 1) {
    refuse(SEVERAL)
    return { refused: SEVERAL }
  }
  const [[base, test] = [state.file, undefined]] = running
  if (test) test.asked = new Error('asked here')
  if (base !== undefined) return { base }
  refuse(OUTSIDE)
  return { refused: OUTSIDE }
}

/** Fails the tests that run, or else the file. */
function refuse(problem: string): void {
  const running = [...state.tests.values()]
  for (const one of running.length > 0 ? running : [state]) one.refused = problem
}

if (config.mode !== 'off') {
  // A page can run several files.
  if (!state.options) {
    const unseen = await cassetteWatch()
    const redirect = (page: PageWindow): void => {
      redirectCalls(page, () => state.options!, destination)
      refuseWorkers(page, unseen, () => state.options!.allowHosts, refuse)
    }
    redirect(window)
    visitFrames(window, redirect)
  }
  state.options = config
  const standing = new StandingFailures<PageVerdict['failures'][number]>()
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  aroundAll(async (runSuite, {}, suite) => {
    const { file } = suite
    file.meta.isSetUp = true
    const base = await cassetteOpen({ filepath: file.filepath, titles: [], ordinal: 0 })
    // Requests to the gateway itself need no redirection.
    state.options = { ...config, allowHosts: [...config.allowHosts, new URL(base).host] }
    state.file = base
    await runSuite()
    state.file = undefined
    const { refused } = state
    state.refused = undefined
    const verdict = await cassetteClose(base, { ...outcomeOfFile(suite), refused })
    verdict.failures.push(...standing.outvoted())
    end(suite, verdict)
  })

  TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    const { filepath } = task.file
    const base = await cassetteOpen({ filepath, ...placesIn(task.file).get(task)! })
    const own: { refused?: string; asked?: Error } = {}
    state.tests.set(base, own)
    Object.assign(task.context, {
      cassette: { baseUrl: (upstream: string) => addressAt(base, upstream) },
    })
    await runTest()
    state.tests.delete(base)
    const { refused, asked } = own
    const verdict = await cassetteClose(base, { ...outcomeOfTest(task), refused })
    const failure = standing.take(task, verdict.failures[0])
    end(task, { ...verdict, failures: failure ? [failure] : [] }, asked)
  })
}

/**
 * Ends a test that ran in the page, and fails it if it has to.
 *
 * @param asked an error at the line of the page that made the last request
 */
function end(
  task: RunnerTestCase | RunnerTestSuite,
  { failures: [first, ...others], meta }: PageVerdict,
  asked?: Error,
): void {
  if (meta) task.meta.cassette = meta
  if (first)
    failTask(task, [first, ...others], (failure) => (failure === first ? framesOf(asked) : []))
}

function framesOf({ stack = '' }: Partial<Error> = {}): string[] {
  const lines = stack.split('\n').filter((line) => !line.includes('/vitest-cassette/'))
  return lines.slice(1)
}
