import { join } from '../../real/path.ts'
import { stripVTControlCharacters } from 'node:util'
import type { TestInfo, WorkerInfo } from '@playwright/test'
import { Attempt } from '../../attempt/attempt.ts'
import { lateFailures } from '../../attempt/late-failures.ts'
import { readEnvironment } from '../../config/environment.ts'
import { hasColors } from '../../config/has-colors.ts'
import { recordsAnswers } from '../../config/decide-mode.ts'
import type { CassetteOptions } from '../../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError, withFrames } from '../../errors.ts'
import type { ReportedFailure } from '../../explain/failure.ts'
import { realNow, realTime } from '../../real/clock.ts'
import { existsSync, mkdirSync, writeFileSync } from '../../real/files.ts'
import { answerChildren } from '../../transports/answer-children.ts'
import { Gateway } from '../../transports/gateway.ts'
import { installInterception, removeInterception } from '../../transports/install.ts'
import { hostOn, layers } from '../../transports/layers.ts'
import { awaitRequests, endRequests } from '../../transports/open-requests.ts'
import type { Gateways } from '../../transports/child-environment.ts'
import { takeConsequences, withConsequences } from '../../transports/refuse.ts'
import type { Running } from '../../transports/route-page.ts'
import { setFileScope } from '../../transports/scope.ts'
import { countOf } from '../../text/count-of.ts'
import { describeAnswers } from '../describe-answers.ts'
import { SpecOwner } from './spec-owner.ts'

/** Milliseconds to wait for a port that the worker before has not closed yet. */
const PATIENCE_MS = 5_000

/** Milliseconds. The timeout of a test that records, unless the config sets one. */
const RECORDING_MS = 300_000
const USUAL_TIMEOUT_MS = 30_000

/** A running test or hook, with the base for its requests. */
export interface RunningSpec extends Running {
  attempt: Attempt
  /** Judges the test, and writes its cassette. @throws CassetteError as a test of Vitest fails */
  end(): Promise<void>
}

/** The cassettes of one worker of Playwright, which runs its tests in turn. One gateway answers for all. */
export class WorkerCassettes {
  readonly #gateway: Gateway
  readonly #gateways: Gateways
  readonly #isAtPort: boolean
  /** Failures that no test can report any more. */
  readonly #late: Array<Promise<ReportedFailure | undefined>> = []
  readonly #listener = lateFailures(this.#late)
  #hooks?: HookCassette
  #running?: RunningSpec

  private constructor(gateway: Gateway, isAtPort: boolean) {
    this.#gateway = gateway
    this.#gateways = answerChildren(layers, { opened: gateway })
    this.#isAtPort = isAtPort
  }

  /**
   * @param port a fixed port for programs that cannot tell tests apart
   * @throws CassetteError `invalid-option` where several workers would share the port, `refused` where it is taken
   */
  static async open(port: number | undefined, { config }: WorkerInfo): Promise<WorkerCassettes> {
    if (port !== undefined && config.workers > 1) throw severalWorkers(port, config.workers)
    return new WorkerCassettes(await openGateway(port), port !== undefined)
  }

  /**
   * Opens the cassette of a test, to which the requests of this process and those to its address belong.
   *
   * @param options have been checked
   * @param application its address, where it is known
   */
  begin(test: TestInfo, options: CassetteOptions, application?: string): RunningSpec {
    const config = resolveConfig(options, readEnvironment(process.env))
    const isHook = isInHook(test)
    const owner = new SpecOwner(test, config.dir, this.#listener, isHook)
    // Requests of pages, which Playwright sends to the gateway, pass here.
    const allowHosts = [...config.allowHosts, new URL(this.#gateway.origin!).host]
    const own = { ...config, dir: owner.dir, allowHosts }
    if (this.#hooks && this.#hooks.file !== test.file) this.#endFile()
    if (isHook) this.#hooks ??= new HookCassette(test.file, this.#attemptOf(owner, own))
    const attempt = isHook ? this.#hooks!.attempt : this.#attemptOf(owner, own)
    installInterception(attempt.config, layers, this.#gateways)
    setFileScope(attempt)
    if (recordsAnswers(config.mode) && test.timeout === USUAL_TIMEOUT_MS)
      test.setTimeout(RECORDING_MS)
    if (this.#isAtPort) this.#gateway.admit(attempt, '')
    // Contexts of a hook stay open, and ask for the test that runs.
    const ofHooks = this.#hooks && this.#gateway.admit(attempt, this.#hooks.token)
    const found = isHook ? ofHooks : this.#gateways.for(attempt)?.base
    const base = config.mode === 'off' ? undefined : found
    const end = async (): Promise<void> => {
      this.#running = undefined
      await (isHook ? this.#endHook(test) : endSpec(attempt, owner, test))
    }
    this.#running = { attempt, base, application, end }
    return this.#running
  }

  /** The test or the hook that runs now. */
  readonly running = (): RunningSpec | undefined => this.#running

  #attemptOf(owner: SpecOwner, config: ResolvedConfig): Attempt {
    return new Attempt(owner, config, hostOn(layers))
  }

  async #endHook(test: TestInfo): Promise<void> {
    const failure = await this.#hooks?.endHook()
    setFileScope(undefined)
    if (failure) this.#hooks = undefined
    report(failure, test)
  }

  #endFile(): void {
    if (this.#hooks) this.#late.push(this.#hooks.close())
    this.#hooks = undefined
  }

  /** Writes what hooks recorded. @throws CassetteError for requests for which tests did not wait */
  async close(): Promise<void> {
    this.#endFile()
    const failures = await Promise.all(this.#late)
    removeInterception()
    const [first] = failures.flatMap((failure) => failure ?? [])
    if (!first) return
    const { code, headline, details } = first
    throw withFrames(new CassetteError(code, `${headline}\n${details}`), [])
  }
}

async function endSpec(attempt: Attempt, owner: SpecOwner, test: TestInfo): Promise<void> {
  await endRequests(attempt)
  setFileScope(undefined)
  if (!attempt.wasAsked && !owner.hasCassette(attempt.config)) {
    attempt.abandon()
    return report(undefined, test)
  }
  const { failure } = await attempt.close({
    passed: test.status === test.expectedStatus,
    partial: test.status === 'skipped',
    isTriedAgain: test.retry < test.project.retries,
    now: realTime(),
    color: hasColors(),
  })
  const sources = attempt.session.asked.map(({ replayed }) => (replayed ? 'replayed' : 'recorded'))
  const { cassette } = owner.test(owner.dir)
  const description = `${cassette}: ${describeAnswers(sources)}`
  test.annotations.push({ type: 'cassette', description })
  if (sources.includes('recorded') && test.project.repeatEach > 1)
    console.warn(
      `[vitest-cassette] ${cassette} holds one run of its test, and Playwright repeats the test ${test.project.repeatEach} times: each recording replaces the one before, and its ${countOf(sources.length, 'paid answer')}.`,
    )
  report(failure, test)
}

function report(own: ReportedFailure | undefined, test: TestInfo): void {
  if (own) {
    // For the attempts after this one, which run in other processes.
    mkdirSync(test.project.outputDir, { recursive: true })
    writeFileSync(noteOf(test), '')
  }
  const failure = own ?? standingFailure(test)
  if (failure) failSpec(test, failure)
}

/** After a failed test, the worker before this one can still hold the port. */
async function openGateway(port: number | undefined): Promise<Gateway> {
  const end = realNow() + PATIENCE_MS
  for (;;) {
    const gateway = new Gateway({ layers, port, isBackground: true })
    try {
      await gateway.ready
      return gateway
    } catch (error) {
      if (port === undefined || realNow() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

function severalWorkers(port: number, workers: number): CassetteError {
  return new CassetteError(
    'invalid-option',
    `cassettePort: ${port} is one address for whichever test runs, and ${workers} tests may run at the same time here.\n` +
      'Let one run after the other, in playwright.config.ts: workers: 1. Or leave cassettePort out, and start the app server ' +
      'with env: cassetteEnv(): then each request says which test it is of.',
  )
}

/**
 * The failure of an attempt that is skipped, or whose own failure is expected, where an attempt before asked for what is
 * not recorded: Playwright would take the test for flaky, or for passed, and the run for green.
 */
function standingFailure(test: TestInfo): ReportedFailure | undefined {
  if (test.retry === 0 || test.expectedStatus === 'passed' || !existsSync(noteOf(test)))
    return undefined
  const became = test.status === 'skipped' ? 'is skipped' : 'fails as expected'
  return {
    code: 'miss',
    headline: `An attempt before failed for its cassette, and this one ${became}`,
    details:
      'The error of the attempt before says why. Such a failure counts, whatever the test becomes when it is tried again.\n' +
      'Record the test, or let it skip before it asks a model, in its first attempt too.',
  }
}

/** Playwright empties this folder at the beginning of a run. Several runs can share it. */
function noteOf({ project, testId }: TestInfo): string {
  return join(project.outputDir, `.cassette-failed-${process.ppid}-${testId}`)
}

/**
 * Fails a test with one error. Its other errors followed from this one, and become lines of it. `test.fail()` does not
 * expect this failure.
 *
 * @throws always
 */
function failSpec(test: TestInfo, failure: ReportedFailure): never {
  const consequences = takeConsequences(test.errors).map(
    ({ message = '' }) => stripVTControlCharacters(message).split('\n')[0]!,
  )
  test.expectedStatus = 'passed'
  const { code, headline, details } = failure
  const error = new CassetteError(code, withConsequences(`${headline}\n${details}`, consequences))
  const { file, line, column } = test
  throw withFrames(error, [`    at ${file}:${line}:${column}`])
}

/** Whether `beforeAll` or `afterAll` runs, which Playwright tells by the object of a test that is not running. */
function isInHook(test: TestInfo): boolean {
  const { _currentHookType: hook } = test as { _currentHookType?(): string | undefined }
  return ['beforeAll', 'afterAll'].includes(hook?.call(test) ?? '')
}

/**
 * The requests of the `beforeAll` and `afterAll` of a test file in one worker. They share a cassette, as other workers
 * can run other hooks of the file: each adds its own, and none misses those of others.
 */
class HookCassette {
  readonly file: string
  readonly attempt: Attempt
  /** The tokens of contexts that a hook created. Tests can go on with them. */
  readonly token: string = crypto.randomUUID()

  constructor(file: string, attempt: Attempt) {
    this.file = file
    this.attempt = attempt
  }

  /** Waits for the answers of a hook. Returns its failure where a request of it misses; then the cassette is closed. */
  async endHook(): Promise<ReportedFailure | undefined> {
    await awaitRequests(this.attempt)
    const hasMissed = this.attempt.wasAsked && this.attempt.session.misses.length > 0
    return hasMissed ? this.close() : undefined
  }

  /** Writes what was recorded, when no test of the file is left in this worker. */
  async close(): Promise<ReportedFailure | undefined> {
    if (!this.attempt.wasAsked) return void this.attempt.abandon()
    const color = hasColors()
    const outcome = { passed: true, partial: true, now: realTime(), color }
    return (await this.attempt.close(outcome)).failure
  }
}
