import './fill-globals.ts'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, TestError } from 'vitest'
import { sendsNothing } from '../../../config/mode.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { refuseOldNode } from '../../../config/old-node.ts'
import { resolveConfig, type ResolvedConfig } from '../../../config/resolved-config.ts'
import type { Failure, AttemptOutcome } from '../../../explain/judge-attempt.ts'
import { answerChildren } from '../../../transports/answer-children.ts'
import { awaitRequests, endRequests } from '../../../transports/open-requests.ts'
import { followAnswers } from '../../../transports/follow-answers.ts'
import { installInterception } from '../../../transports/install.ts'
import {
  configHere,
  currentScope,
  runInScope,
  noteRunning,
  setFileScope,
  setLoneTest,
} from '../../../transports/scope.ts'
import { endTest, nameSharedCalls } from './settle-lent.ts'
import { endSkippedFile, setUpEveryFile } from './every-file.ts'
import { failInNode } from './fail-in-node.ts'
import { lendKeys } from './lend-keys.ts'
import { asFailure, keepGlobals } from '../../../real/real-world.ts'
import { Attempt } from '../../../attempt/attempt.ts'
import { realTime } from '../../../real/clock.ts'
import { hostOn, layers } from '../../../transports/layers.ts'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import { TestOwner } from './test-owner.ts'
import type { ProvidedConfig, VitestHooks } from './vitest-hooks.ts'
import { beginFile } from '../api/current-file.ts'
import { LateReport } from './late-report.ts'
import { lateMatchers } from '../api/load-matchers.ts'
import { loadLater, preloadForVmPool } from '../../../real/load-later.ts'
import { RunningCassette } from '../api/test-cassette.ts'
import { setProject } from './current-project.ts'
import { placeOfFile, placeOfTest, warnOfSharedTitles } from './place-of-test.ts'
import { outcomeOfFile, outcomeOfTest, StandingFailures } from './outcome.ts'
import { runsBesideOthers } from './titles.ts'
import { beforeWorkerEnds, currentTestFile, giveTimeToRecord, projectRoot } from './worker-state.ts'
import { type SeenServers, takeSeenServers } from '../../../transports/reports.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { disarm, printable } from '../../../text/printable.ts'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Set on files whose calls are answered here: pools and plugins can leave set-up files out, and the run fails for
     * one.
     */
    isSetUp?: true
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
  }
}

const loadMoves = loadLater('./suggest-move.mjs', () => import('./suggest-move.ts'))

/** The file whose hooks are registered; plugin and import together register once. */
let registered: { file: string; done: Promise<void> } | undefined

/**
 * Installs interception and registers the hooks that give each test its session. Runs once for every
 * test file, before the file is imported.
 *
 * @throws CassetteError `unsupported-node`, `unsupported-vitest`, `invalid-environment`, `recording-refused`
 */
export function registerHooks(hooks: VitestHooks): Promise<void> {
  const file = currentTestFile() ?? ''
  if (registered?.file !== file)
    registered = { file, done: setUpFile(file, hooks).catch(explainFailedSetUp) }
  return registered.done
}

async function setUpFile(file: string, hooks: VitestHooks): Promise<void> {
  refuseOldNode()
  keepGlobals()
  const root = projectRoot()
  const provided = hooks.inject('vitest-cassette')
  const given = provided ?? (await ownConfig())
  const { color, compiled } = given
  // Of this worker alone: what tests start has the environment of the user.
  if (compiled !== undefined && process.env.NODE_COMPILE_CACHE === compiled)
    delete process.env.NODE_COMPILE_CACHE
  const config = beginFile(given.config, hooks.TestRunner)
  setProject(given)
  if (recordsIn(config)) {
    giveTimeToRecord()
    followAnswers()
  }
  await preloadForVmPool()
  installInterception(config, layers, answerChildren(layers, given))
  if (recordsIn(config)) (await import('./watch-others.ts')).watchMocks(config, hooks)
  setUpEveryFile(hooks.TestRunner, () => registerHooks(hooks))
  hooks.expect.extend(lateMatchers)

  // Requests at module level come before any hook.
  const place = placeOfFile(file, root)
  const late = new LateReport(place.file, color)
  const host = hostOn(layers)
  const ownerOfFile = new TestOwner(place, root, late)
  const ofFile = new Attempt(ownerOfFile, config, host, ownerOfFile.isLeftOut(config))
  setFileScope(ofFile)
  lendKeys({
    isOpen: () => config.keys && sendsNothing(configHere(config).mode),
    isRecorded() {
      const scope = currentScope()
      if (scope === ofFile) return ownerOfFile.hasNeighbours(config.dir)
      return typeof scope === 'object' && hasCassette(scope)
    },
  })

  const standing = new StandingFailures<Failure>()
  const close = async (suite: RunnerTestSuite | RunnerTestFile): Promise<void> => {
    try {
      await closeFile(ofFile, late, standing, suite, root, color)
    } finally {
      writeFileMeta(suite, provided !== undefined)
    }
  }
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  hooks.aroundAll(async (runSuite, {}, suite) => {
    suite.meta.isSetUp = true
    await runInScope(ofFile, runSuite)
    beforeWorkerEnds(() => late.waitForRequests())
    await close(suite)
  })
  endSkippedFile(hooks.TestRunner, file, async (suite) => {
    // A test that is recorded alone leaves the cassettes of other files as they are.
    if (!sendsNothing(ofFile.config.mode)) return void (hasCassette(ofFile) || (await close(suite)))
    await awaitRequests(ofFile)
    // What the module goes on to ask, as the worker of a queue does, is answered for the file.
    const { misses, fault } = ofFile.session
    if (misses.length > 0 || fault) await close(suite)
  })

  // The outermost hook throws the miss after the test: no application catches it there, no skip() or `fails` hides it.
  // Not by aroundEach(), which sets the automatic fixtures of a test up before it calls its hook.
  hooks.TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    const owner = new TestOwner(placeOfTest(task, root), root, late)
    const attempt = new Attempt(owner, config, host, owner.isLeftOut(config))
    task.context.cassette = new RunningCassette(() => attempt)
    const endRunning = noteRunning(attempt)
    if (!runsBesideOthers(task))
      setLoneTest({
        attempt,
        // Earlier releases recorded these calls for the file.
        leavesToFile: () =>
          attempt.config.mode !== 'all' && !hasCassette(attempt) && hasCassette(ofFile),
      })
    try {
      await runInScope(attempt, runTest)
      await closeTest(attempt, standing, task, root, color)
    } finally {
      endRunning()
      setLoneTest(undefined)
    }
  })
}

function recordsIn({ mode }: ResolvedConfig): boolean {
  return mode === 'new' || mode === 'all'
}

function hasCassette({ owner, config }: Attempt): boolean {
  return owner instanceof TestOwner && owner.hasCassette(config)
}

/** True if the attempt made no request, and no cassette expects one. */
function owesNothing(attempt: Attempt): boolean {
  return !attempt.wasAsked && !hasCassette(attempt)
}

/** The configuration without the plugin, which resolves it once for all files. */
async function ownConfig(): Promise<ProvidedConfig> {
  const { showsColor } = await import('../reporters/shows-color.ts')
  return { config: resolveConfig({}, readEnvironment(process.env)), color: showsColor() }
}

async function closeTest(
  attempt: Attempt,
  standing: StandingFailures<Failure>,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<void> {
  await endTest(attempt, outcomeOfTest(task), runsBesideOthers(task) && hasCassette(attempt))
  const failure = standing.take(task, await judgeTest(attempt, task, root, color))
  if (failure) failInNode(task, [failure], root)
}

async function judgeTest(
  attempt: Attempt,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<Failure | undefined> {
  if (owesNothing(attempt)) return void attempt.abandon()
  if (attempt.wasAsked) warnOfSharedTitles(task, root)
  const { failure, meta } = await closeAttempt(attempt, {
    ...outcomeOfTest(task),
    now: realTime(),
    color,
  })
  task.meta.cassette = meta
  disarmErrors(task)
  if (failure?.code === 'miss' && !attempt.session.cassette)
    loadMoves().suggestMove(attempt, failure, task, root)
  return failure
}

/** Ends an attempt, and counts what it asked. */
async function closeAttempt(
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<{ failure?: Failure; meta?: CassetteMeta }> {
  try {
    const { failure, verdict } = await attempt.close(outcome)
    const { counted } = attempt
    return { failure, meta: layers.counts().countRequests(counted, outcome.passed, verdict) }
  } catch (error) {
    // Thrown as it is, `test.fails` would count it as the expected one.
    const { code, message } = asFailure(error as Error)
    const [headline = '', ...details] = message.split('\n')
    return { failure: { code, headline, details: details.join('\n') } }
  }
}

async function closeFile(
  attempt: Attempt,
  late: LateReport,
  standing: StandingFailures<Failure>,
  file: RunnerTestSuite | RunnerTestFile,
  root: string,
  color: boolean,
): Promise<void> {
  setFileScope(undefined)
  await endRequests(attempt)
  const failure = await judgeFile(attempt, file, color)
  await late.waitForRequests()
  const missed = await late.end()
  const [first, ...others] = [failure ?? [], standing.outvoted(), missed].flat()
  if (first) failInNode(file, [first, ...others], root)
}

async function judgeFile(
  attempt: Attempt,
  file: RunnerTestSuite | RunnerTestFile,
  color: boolean,
): Promise<Failure | undefined> {
  if (owesNothing(attempt)) return void attempt.abandon()
  nameSharedCalls(attempt)
  const { failure, meta } = await closeAttempt(attempt, {
    ...outcomeOfFile(file),
    now: realTime(),
    color,
  })
  file.meta.cassette = meta
  disarmErrors(file)
  return failure
}

/**
 * Explains why the set-up failed, if Vitest is too old: then it lacks what the set-up needs, or is not the one that this
 * package finds.
 *
 * @throws always
 */
async function explainFailedSetUp(error: unknown): Promise<never> {
  const { refuseOldVitest, runningVitest } = await import('../../../config/versions.ts')
  refuseOldVitest(runningVitest(projectRoot()))
  throw error
}

const TEXTS = ['message', 'stack', 'diff', 'actual', 'expected'] as const

/**
 * Disarms error texts: an assertion prints the answer on which it fails, and a terminal or CI runner would obey it. An
 * application quotes its keys, and only this process knows those that it has set itself.
 */
function disarmErrors({ result }: RunnerTestCase | RunnerTestSuite): void {
  for (const error of result?.errors ?? []) disarmError(error)
}

function disarmError(error: TestError): void {
  const { redactKnown } = loadExplain()
  for (const name of TEXTS) {
    const text = error[name]
    if (typeof text === 'string') error[name] = redactKnown(disarm(text), process.env)
  }
  if (error.cause) disarmError(error.cause)
}

/** Writes what a file has seen into its meta, which the reporters of the run read, or prints it where there are none. */
function writeFileMeta({ meta }: RunnerTestSuite | RunnerTestFile, hasReporters: boolean): void {
  const servers = takeSeenServers()
  if (servers.foreign.length > 0 && !hasReporters) {
    const text = loadExplain().explainForeign(servers.foreign)!
    console.warn(`[vitest-cassette] ${printable(text)}`)
  }
  if (Object.values(servers).some(({ length }) => length > 0)) meta.seenServers = servers
}
