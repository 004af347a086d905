import { loadExplain } from '../../attempt/load-explain.ts'
import type { TestInfo, WorkerInfo } from '@playwright/test'
import { hasColors } from '../../config/has-colors.ts'
import { readEnvironment } from '../../config/environment.ts'
import type { CassetteOptions } from '../../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError } from '../../errors.ts'
import type { Failure } from '../../explain/judge-attempt.ts'
import { answerChildren } from '../../transports/answer-children.ts'
import { Gateway } from '../../transports/gateway.ts'
import { Attempt } from '../../attempt/attempt.ts'
import { realNow, realTime } from '../../real/clock.ts'
import type { LateListener } from '../../attempt/owner.ts'
import { hostOn, layers } from '../../transports/layers.ts'
import { setFileScope } from '../../transports/scope.ts'
import { endRequests } from '../../transports/open-requests.ts'
import { installInterception, removeInterception } from '../../transports/install.ts'
import type { Gateways } from '../../transports/redirect.ts'
import { describeAnswers } from '../describe-answers.ts'
import { failSpec, failureOfLate } from './fail-spec.ts'
import { HookCassette, isInHook } from './hook-cassette.ts'
import type { Running } from '../../transports/route-page.ts'
import { SpecOwner } from './spec-owner.ts'
import { noteFailedAttempt, standingFailure } from './standing-failure.ts'

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
  readonly #late: Array<Promise<Failure | undefined>> = []
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
   */
  begin(test: TestInfo, options: CassetteOptions): RunningSpec {
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
    const records = config.mode === 'all' || config.mode === 'new'
    if (records && test.timeout === USUAL_TIMEOUT_MS) test.setTimeout(RECORDING_MS)
    if (this.#isAtPort) this.#gateway.admit(attempt, '')
    // Contexts of a hook stay open, and ask for the test that runs.
    const ofHooks = this.#hooks && this.#gateway.admit(attempt, this.#hooks.token)
    const found = isHook ? ofHooks : this.#gateways.for(attempt)?.base
    const base = config.mode === 'off' ? undefined : found
    const end = async (): Promise<void> => {
      this.#running = undefined
      await (isHook ? this.#endHook(test) : endSpec(attempt, owner, test))
    }
    this.#running = { attempt, base, end }
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
    const first = failures.find((failure) => failure !== undefined)
    if (first) throw failureOfLate(first)
  }

  readonly #listener: LateListener = {
    hear: (session, { recording, miss, error }) => {
      const { explainLate, explainSent } = loadExplain()
      const explained = recording
        ? explainSent([{ session, recording }])
        : explainLate(session, { miss, error }, hasColors())
      this.#late.push(Promise.resolve(explained))
    },
    release: (journal) => journal.release(),
  }
}

async function endSpec(attempt: Attempt, owner: SpecOwner, test: TestInfo): Promise<void> {
  await endRequests(attempt)
  setFileScope(undefined)
  if (!attempt.wasAsked && !owner.hasCassette()) {
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
  const description = `${owner.test().cassette}: ${describeAnswers(sources)}`
  test.annotations.push({ type: 'cassette', description })
  report(failure, test)
}

function report(own: Failure | undefined, test: TestInfo): void {
  if (own) noteFailedAttempt(test)
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
