import './fill-globals.ts'
import type {
  aroundAll,
  expect,
  inject,
  RunnerTestCase,
  RunnerTestFile,
  RunnerTestSuite,
  TestRunner,
} from 'vitest'
import { sendsNothing } from '../../config/mode.ts'
import { readEnvironment } from '../../config/environment.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import type { Failure } from '../../explain/judge.ts'
import { collectReports } from '../../intercept/guard/guard-tests.ts'
import { harmless } from '../../diff/render/harmless.ts'
import { hasOpen, settleRequests, type OpenRequest } from '../../intercept/context/open-requests.ts'
import { installRoads } from '../../intercept/roads.ts'
import {
  configHere,
  currentScope,
  runInScope,
  setFileScope,
  type TestScope,
} from '../../intercept/context/scope.ts'
import { nextOrder } from '../../intercept/context/stamp.ts'
import { disarmErrors } from './disarm-errors.ts'
import { failTest } from './fail-test.ts'
import { keepRunner } from '../api/current-suite.ts'
import { lendKeys } from './lend-keys.ts'
import { Attempt } from './attempt.ts'
import { realTime } from './clock.ts'
import { beginFile } from '../api/file-config.ts'
import { LateRequests } from './late-requests.ts'
import { lateMatchers } from '../api/late-matchers.ts'
import { later } from './later.ts'
import { preloadForVmPool } from '../../intercept/patch/load-later.ts'
import { RunningCassette } from '../api/test-cassette.ts'
import { placeOfFile, placeOfTest, sharesTitle } from './test-place.ts'
import { beforeWorkerEnds, currentTestFile, projectRoot } from './worker-state.ts'

/** The functions of Vitest that the set-up uses, handed over by the set-up file itself. */
export interface VitestHooks {
  aroundAll: typeof aroundAll
  expect: typeof expect
  inject: typeof inject
  TestRunner: typeof TestRunner
}

/** What the plugin hands to the workers. */
export interface ProvidedConfig {
  config: ResolvedConfig
  color: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    'vitest-cassette'?: ProvidedConfig
  }
}

/** The file whose hooks are registered; plugin and import together register once. */
let registeredFor: string | undefined

/**
 * Installs interception and registers the hooks that give each test its session. Runs once for every
 * test file, before the file is imported.
 *
 * @throws CassetteError `invalid-environment`, `recording-refused`
 */
export async function registerHooks(hooks: VitestHooks): Promise<void> {
  const file = currentTestFile() ?? ''
  if (registeredFor === file) return
  registeredFor = file
  const root = projectRoot()
  const { config: given, color } = hooks.inject('vitest-cassette') ?? (await ownConfig())
  const config = beginFile(given)
  await preloadForVmPool()
  installRoads(config, later)
  keepRunner(hooks.TestRunner)
  hooks.expect.extend(lateMatchers)

  // Requests of the module level come before any hook.
  const place = placeOfFile(file, root)
  const late = new LateRequests(place.file, color)
  const ofFile = new Attempt(place, root, config, late)
  setFileScope(ofFile.scope)
  lendKeys({
    isOpen: () => config.keys && sendsNothing(configHere(config).mode),
    isRecorded: () => isRecorded(ofFile),
  })

  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  hooks.aroundAll(async (runSuite, {}, suite) => {
    await runInScope(ofFile.scope, runSuite)
    beforeWorkerEnds(() => late.settle())
    await closeFile(ofFile, late, suite, root, color)
  })

  // Not by aroundEach(), which sets the automatic fixtures of a test up before it calls its hook.
  hooks.TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    const attempt = new Attempt(placeOfTest(task, root), root, config, late)
    task.context.cassette = new RunningCassette(() => attempt.scope)
    await runInScope(attempt.scope, runTest)
    await closeTest(attempt, task, root, color)
  })
}

/** Whether the test that runs has a cassette, or, outside of tests, any test of the file. */
function isRecorded(ofFile: Attempt): boolean {
  const scope = currentScope()
  if (scope === ofFile.scope) return ofFile.hasNeighbours
  return Attempt.of(scope)?.hasCassette ?? false
}

/** Without the plugin, which finds this out once for all files. */
async function ownConfig(): Promise<ProvidedConfig> {
  const { showsColor } = await import('../reporters/shows-color.ts')
  return { config: resolveConfig({}, readEnvironment(process.env)), color: showsColor() }
}

async function closeTest(
  attempt: Attempt,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<void> {
  const { scope } = attempt
  await endScope(scope)
  if (attempt.owesNothing) return scope.close()
  if (scope.wasAsked && sharesTitle(task)) warnOfSharedTitle(scope.session.test.id)
  const state = task.result?.state
  const passed = task.fails ? state === 'fail' : state !== 'fail'
  const { failure, meta } = await attempt.close({
    passed,
    partial: state === 'skip',
    now: realTime(),
    color,
  })
  task.meta.cassette = meta
  disarmErrors(task)
  if (failure) failTest(task, [failure], root)
}

/** From here on requests of the test come too late; those that it has created are waited for. */
async function endScope(scope: TestScope): Promise<void> {
  const last = nextOrder()
  scope.end(last)
  const isInTime = (request: OpenRequest): boolean =>
    request.scope === scope && request.order < last
  const unsent = hasOpen(isInTime) ? await settleRequests(isInTime) : []
  for (const { address } of unsent)
    console.warn(
      `[vitest-cassette] ${address} was begun and is not sent, though its test has ended and waited for it. End it, or give it up.`,
    )
  collectReports(scope)
}

async function closeFile(
  attempt: Attempt,
  late: LateRequests,
  file: RunnerTestSuite | RunnerTestFile,
  root: string,
  color: boolean,
): Promise<void> {
  setFileScope(undefined)
  await endScope(attempt.scope)
  const failure = await judgeFile(attempt, file, color)
  await late.settle()
  const { refused, sent } = await late.end()
  if (sent.length > 0) file.meta.late = sent
  const [first, ...others] = [failure ?? [], refused].flat()
  if (first) failTest(file, [first, ...others], root)
}

async function judgeFile(
  attempt: Attempt,
  file: RunnerTestSuite | RunnerTestFile,
  color: boolean,
): Promise<Failure | undefined> {
  if (attempt.owesNothing) return void attempt.scope.close()
  const states = testStates(file)
  const { failure, meta } = await attempt.close({
    passed: !states.includes('fail'),
    partial: states.some((state) => state !== 'pass' && state !== 'fail'),
    now: realTime(),
    color,
  })
  file.meta.cassette = meta
  return failure
}

function testStates(suite: RunnerTestSuite): Array<string | undefined> {
  return suite.tasks.flatMap((task) =>
    task.type === 'suite' ? testStates(task) : [task.result?.state],
  )
}

function warnOfSharedTitle(id: string): void {
  console.warn(
    `[vitest-cassette] Several tests are called "${harmless(id)}". Their cassettes are told apart by their order only: give each test a title of its own.`,
  )
}
