import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type {
  aroundAll,
  expect,
  inject,
  RunnerTestCase,
  RunnerTestFile,
  RunnerTestSuite,
  TestRunner,
} from 'vitest'
import { readEnvironment } from '../config/environment.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import { Session } from '../engine/session.ts'
import { collectReports } from '../intercept/guard-tests.ts'
import { installNetwork, leaveFile } from '../intercept/network.ts'
import { configHere, currentScope, runInScope, setFileSession } from '../intercept/scope.ts'
import { beginFile } from './configure.ts'
import { closeSession } from './close-session.ts'
import { disarmErrors } from './disarm-errors.ts'
import { failTest } from './fail-test.ts'
import { keepRunner } from './current-suite.ts'
import { lendKeys } from './lend-keys.ts'
import { matchers } from './matchers.ts'
import { openSession, type OpenSession } from './open-sessions.ts'
import { TestCassette } from './test-cassette.ts'
import { placeOfFile, placeOfTest, sharesTitle } from './test-place.ts'
import { currentTestFile, projectRoot, showsColor } from './worker-state.ts'

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
export function registerHooks(hooks: VitestHooks): void {
  const file = currentTestFile() ?? ''
  if (registeredFor === file) return
  registeredFor = file
  const root = projectRoot()
  const { config: given, color } = hooks.inject('vitest-cassette') ?? ownConfig()
  const config = beginFile(given)
  installNetwork(config)
  keepRunner(hooks.TestRunner)
  hooks.expect.extend(matchers)

  // Requests of the module level come before any hook.
  const fileSession = openSession(placeOfFile(file, root), root, config)
  setFileSession(fileSession.session)
  lendKeys({
    isOpen: () => config.keys && configHere(config).mode === 'replay',
    isRecorded: () => isRecorded(root, fileSession.session),
  })

  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  hooks.aroundAll(async (runSuite, {}, suite) => {
    await runInScope(fileSession.session, runSuite)
    try {
      await closeFile(fileSession, suite, root, color)
    } finally {
      leaveFile()
    }
  })

  // Not by aroundEach(), which sets the automatic fixtures of a test up before it calls its hook.
  hooks.TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    const open = openSession(placeOfTest(task, root), root, config)
    task.context.cassette = new TestCassette(() => open.session)
    await runInScope(open.session, runTest)
    await closeTest(open, task, root, color)
  })
}

/** Whether the test that runs has a cassette, or, outside of tests, any test of the file. */
function isRecorded(root: string, fileSession: Session): boolean {
  const scope = currentScope()
  if (!(scope instanceof Session)) return false
  const path = join(root, scope.test.cassette)
  return existsSync(scope === fileSession ? dirname(path) : path)
}

function ownConfig(): ProvidedConfig {
  return { config: resolveConfig({}, readEnvironment(process.env)), color: showsColor() }
}

async function closeTest(
  open: OpenSession,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<void> {
  const { session } = open
  collectReports(session)
  const asked = session.wasAsked
  // A cassette can be left behind by a test that no longer asks anything.
  if (!asked && !existsSync(join(root, session.test.cassette))) return session.close()
  if (asked && sharesTitle(task)) warnOfSharedTitle(session.test.id)
  const state = task.result?.state
  const passed = task.fails ? state === 'fail' : state !== 'fail'
  const { failure, meta } = await closeSession(open, {
    passed,
    partial: state === 'skip',
    now: new Date(),
    color,
  })
  task.meta.cassette = meta
  disarmErrors(task)
  if (failure) failTest(task, failure, root)
}

async function closeFile(
  open: OpenSession,
  file: RunnerTestSuite | RunnerTestFile,
  root: string,
  color: boolean,
): Promise<void> {
  setFileSession(undefined)
  const { session } = open
  collectReports(session)
  if (!session.wasAsked && !existsSync(join(root, session.test.cassette))) return session.close()
  const states = testStates(file)
  const { failure, meta } = await closeSession(open, {
    passed: !states.includes('fail'),
    partial: states.some((state) => state !== 'pass' && state !== 'fail'),
    now: new Date(),
    color,
  })
  file.meta.cassette = meta
  if (failure) failTest(file, failure, root)
}

function testStates(suite: RunnerTestSuite): Array<string | undefined> {
  return suite.tasks.flatMap((task) =>
    task.type === 'suite' ? testStates(task) : [task.result?.state],
  )
}

function warnOfSharedTitle(id: string): void {
  console.warn(
    `[vitest-cassette] Several tests are called "${id}". Their cassettes are told apart by their order only: give each test a title of its own.`,
  )
}
