import './fill-globals.ts'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import { sendsNothing } from '../../../config/mode.ts'
import { pathFrom } from '../../../config/paths.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import { answerChildren } from '../../../transports/answer-children.ts'
import { awaitRequests, endRequests, nextOrder } from '../../../transports/open-requests.ts'
import { installInterception } from '../../../transports/install.ts'
import {
  configHere,
  currentScope,
  endCollecting,
  enterCollecting,
  runInScope,
  noteRunning,
  setFileScope,
  setLoneTest,
} from '../../../transports/scope.ts'
import { endSkippedFile, setUpEveryFile } from './every-file.ts'
import { isLendable, lendKeys } from '../../lend-keys.ts'
import { keepGlobals, setUp } from '../../../real/real-world.ts'
import { Attempt } from '../../../attempt/attempt.ts'
import { listener } from '../../../attempt/say.ts'
import { hostOn, layers } from '../../../transports/layers.ts'
import { hasCassette, owesNothing } from './owes-nothing.ts'
import { TestOwner } from './test-owner.ts'
import { beginFile } from '../api/current-file.ts'
import { LateOfFile, waitForLateRequests } from './late-requests.ts'
import { loadClosing } from './load-closing.ts'
import { lateMatchers } from '../api/load-matchers.ts'
import { preloadParts } from '../../../real/load-later.ts'
import { isInVmPool } from '../../../real/shared.ts'
import { RunningCassette } from '../api/test-cassette.ts'
import { setProject } from './current-project.ts'
import { findPlace } from './find-place.ts'
import type { StandingFailures } from './outcome.ts'
import { runsBesideOthers } from './runs-beside.ts'
import type { ProvidedConfig, VitestHooks } from './vitest-hooks.ts'
import type { LoadModule } from '../versions/older-runner.ts'
import {
  beforeWorkerEnds,
  currentTestFile,
  giveTimeToRecord,
  guardWorker,
  projectRoot,
} from './worker-state.ts'
import { type SeenServers, takeSeenServers } from '../../../transports/reports.ts'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Set on files whose calls are answered here: pools and plugins can leave set-up files out, and the run fails for
     * one. False where no reporter of ours reads it.
     */
    isSetUp?: boolean
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
    /** What a file has to say beside its failures. A suite can forbid its tests to print, so the run prints it. */
    said?: string[]
  }
}

/** What the end of a file has to know of its tests. */
interface FileEnd {
  late: LateOfFile
  /** Made for the first test that is judged. */
  standing?: StandingFailures<ReportedFailure>
}

// Kept before a test can fake it.
const { parse } = JSON

/** The file whose hooks are registered; plugin and import together register once. */
let registered: { file: string; done: Promise<void>; scope?: Attempt } | undefined

/**
 * Installs interception and registers the hooks that give each test its session. Runs once for every
 * test file, before the file is imported.
 *
 * @param vitest what the Vitest of the file exports
 * @param load imports another module of it
 * @throws CassetteError `unsupported-node`, `unsupported-vitest`, `invalid-environment`, `recording-refused`
 */
export function registerHooks(vitest: object, load: LoadModule): Promise<void> {
  const file = currentTestFile() ?? ''
  if (registered?.file !== file)
    registered = { file, done: setUpFile(file, vitest, load).catch(explainFailed) }
  return registered.done
}

async function setUpFile(file: string, vitest: object, load: LoadModule): Promise<void> {
  keepGlobals()
  setUp.isRunning = true
  const hooks =
    'aroundAll' in vitest
      ? (vitest as VitestHooks)
      : await (await import('../versions/older-runner.ts')).hooksInNode(vitest, load)
  const root = projectRoot()
  const provided = hooks.inject('vitest-cassette')
  const given =
    provided === undefined
      ? (await import('./own-config.ts')).ownConfig()
      : provided.startsWith('{')
        ? (parse(provided) as ProvidedConfig)
        : (await import('./provided-config.ts')).readProvided(provided)
  const { color, compiled } = given
  // Of this worker alone: what tests start has the environment of the user.
  if (compiled !== undefined && process.env.NODE_COMPILE_CACHE === compiled)
    delete process.env.NODE_COMPILE_CACHE
  const config = beginFile(given.config, hooks.TestRunner)
  setProject(given)
  if (isInVmPool()) (await import('./refuse-environment.ts')).refuseEnvironment()
  await preloadParts()
  const records = config.mode === 'new' || config.mode === 'all'
  if (records) {
    giveTimeToRecord(300_000)
    layers.connections().followAnswers()
    // Programs can start slowly, and a test that times out before they ask does not say what it misses.
  } else if (config.run?.by === 'record') giveTimeToRecord(60_000)
  installInterception(config, layers, answerChildren(layers, given))
  if (records) (await import('./watch-others.ts')).watchMocks(config, hooks)
  setUpEveryFile(
    hooks.TestRunner,
    () => registerHooks(vitest, load),
    () => {
      const scope = registered?.file === currentTestFile() ? registered?.scope : undefined
      if (scope) enterCollecting(scope)
      return scope !== undefined
    },
  )
  hooks.expect.extend(lateMatchers)

  // Requests at module level come before any hook.
  const place = { file: pathFrom(root, file), titles: [], ordinal: 0 }
  const late = new LateOfFile(() => new (loadClosing().LateReport)(place.file, color))
  const end: FileEnd = { late }
  const host = hostOn(layers)
  const ownerOfFile = new TestOwner(place, root, late)
  const ofFile = new Attempt(ownerOfFile, config, host, ownerOfFile.isLeftOut(config))
  setFileScope(ofFile)
  registered!.scope = ofFile
  guardWorker(isLendable, (told) => loadClosing().hideTold(told))
  lendKeys({
    beginsOpen: config.keys && sendsNothing(config.mode),
    isOpen: () => config.keys && sendsNothing(configHere(config).mode),
    isRecorded() {
      const scope = currentScope()
      if (scope === ofFile) return ownerOfFile.hasNeighbours(config.dir)
      return typeof scope === 'object' && hasCassette(scope)
    },
  })

  const close = async (suite: RunnerTestSuite | RunnerTestFile): Promise<void> => {
    try {
      setFileScope(undefined)
      await endRequests(ofFile)
      const failure = owesNothing(ofFile)
        ? void ofFile.abandon()
        : await loadClosing().judgeFile(ofFile, suite, color)
      await waitForLateRequests()
      if (records) await loadClosing().endRows(suite.file)
      const missed = await late.end()
      const [first, ...others] = [failure ?? [], end.standing?.outvoted() ?? [], missed].flat()
      if (first) loadClosing().failInNode(suite, [first, ...others], root)
    } finally {
      listener.meta = undefined
      // Reporters of the run read it; where there are none, it is printed.
      const servers = takeSeenServers()
      if (servers.foreign.length > 0 && provided === undefined)
        loadClosing().warnOfForeign(servers.foreign)
      for (const seen of Object.values(servers))
        if (seen.length > 0) suite.meta.seenServers = servers
    }
  }
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures a hook needs
  hooks.aroundAll(async (runSuite, {}, suite) => {
    suite.meta.isSetUp = Boolean(provided)
    if (provided) listener.meta = suite.meta
    endCollecting()
    if (config.samples > 1)
      loadClosing().repeatTests(suite, config.samples, (test) =>
        new TestOwner(findPlace(test, root), root, late).isLeftOut(config),
      )
    await runInScope(ofFile, runSuite)
    beforeWorkerEnds(waitForLateRequests)
    await close(suite)
  })
  endSkippedFile(hooks.TestRunner, file, async (suite) => {
    // A test that is recorded alone leaves the cassettes of other files as they are.
    if (!sendsNothing(ofFile.config.mode)) return void (hasCassette(ofFile) || (await close(suite)))
    await awaitRequests(ofFile)
    const { misses, fault } = ofFile.session
    if (misses.length > 0 || fault) return void (await close(suite))
    // What the module goes on to ask, as the worker of a queue does, is answered for the file.
    ofFile.leave(nextOrder())
    await late.end()
  })

  // The outermost hook throws the miss after the test: no application catches it there, no skip() or `fails` hides it.
  // Not by aroundEach(), which sets the automatic fixtures of a test up before it calls its hook.
  hooks.TestRunner.getCurrentSuite().on('aroundEach', async (runTest, { task }) => {
    // A test that is not repeated loads nothing for this.
    const sample = task.repeats ? loadClosing().nextSample(task) : undefined
    const owner = new TestOwner(findPlace(task, root, sample), root, late)
    const own = config.run ? owner.configFor(config) : config
    const attempt = new Attempt(owner, own, host, owner.isLeftOut(config))
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
      await closeTest(attempt, end, task, root, color)
    } finally {
      endRunning()
      setLoneTest(undefined)
    }
  })
  setUp.isRunning = false
}

/** Closes a test. Most have asked nothing, and nothing of theirs is closed. */
async function closeTest(
  attempt: Attempt,
  file: FileEnd,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<void> {
  if (runsBesideOthers(task) && hasCassette(attempt)) await loadClosing().waitBeside(attempt, task)
  await endRequests(attempt)
  if (owesNothing(attempt) && attempt.lent.length === 0 && !file.standing)
    return void attempt.abandon()
  file.standing ??= new (loadClosing().StandingFailures)()
  await loadClosing().closeTest(attempt, file.standing, task, root, color)
}

/** @throws always */
const explainFailed = async (error: unknown): Promise<never> =>
  (await import('../../../config/versions.ts')).explainFailedSetUp(error, projectRoot())
