import { dirname, join } from '../../real/path.ts'
import { Attempt } from '../../attempt/attempt.ts'
import { lateFailures } from '../../attempt/late-failures.ts'
import { sameTitles } from '../../cassette/test-place.ts'
import { readEnvironment } from '../../config/environment.ts'
import { hasColors } from '../../config/has-colors.ts'
import { recordsAnswers } from '../../config/decide-mode.ts'
import { sendsNothing } from '../../config/mode.ts'
import type { CassetteOptions, RunOption } from '../../config/options.ts'
import { isWithin, pathFrom } from '../../config/paths.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError, stackLines, withFrames } from '../../errors.ts'
import type { ReportedFailure } from '../../explain/failure.ts'
import { realTime } from '../../real/clock.ts'
import { loadLater } from '../../real/load-later.ts'
import { answerChildren } from '../../transports/answer-children.ts'
import { installInterception, removeInterception } from '../../transports/install.ts'
import { hostOn, layers } from '../../transports/layers.ts'
import { endRequests } from '../../transports/open-requests.ts'
import { takeConsequences, withConsequences } from '../../transports/refuse.ts'
import {
  configHere,
  currentScope,
  noteRunning,
  runInScope,
  setFileScope,
  setLoneTest,
} from '../../transports/scope.ts'
import { recording } from '../../text/command-line.ts'
import { lendKeys } from '../lend-keys.ts'
import { type HasEnvironment, lending } from '../lending.ts'
import { inDeno } from '../open-program.ts'
import { RunnerOwner, type RunnerCommand } from './runner-owner.ts'

const loadChecks = loadLater('./checks.mjs', () => import('../../config/check-options.ts'))

/** The options that concern tests. */
export type RunnerOptions = Omit<CassetteOptions, RunOption>

/** A test file of another runner than Vitest. */
export interface RunnerFile {
  /** Its absolute path. */
  file: string
  /** The root of the project, which the cassette folder is in. */
  root: string
  /** How the runner is told to run a test, or a file, alone. */
  command: RunnerCommand
  options?: RunnerOptions
  /** What its tests have for the process, where that is another one. */
  process?: HasEnvironment
}

/** How a test has ended, apart from its requests. */
interface RunnerOutcome {
  /** What it threw. */
  errors: unknown[]
  /** Whether it was skipped while it ran. */
  isSkipped?: boolean
  isTriedAgain?: boolean
}

/** The cassettes of the tests of one file, and that of what the file asks outside of its tests. */
export class FileCassettes {
  readonly #file: string
  readonly #root: string
  readonly #command: RunnerCommand
  readonly #config: ResolvedConfig
  readonly #ofFile: Attempt
  /** What tells a test that asked from another one of the same name, by its place. */
  readonly #asked = new Map<string, unknown>()
  /** Failures that no test can report any more. */
  readonly #late: Array<Promise<ReportedFailure | undefined>> = []
  readonly #listener = lateFailures(this.#late)
  /** The tests whose last attempt failed. */
  readonly #failed = new Set<unknown>()
  #isPartial = false

  /** @throws CassetteError `invalid-option`, `invalid-environment`, `recording-refused` */
  constructor({ file, root, command, options = {}, process: ofTests }: RunnerFile) {
    this.#root = isWithin(root, file) ? root : dirname(file)
    this.#file = pathFrom(this.#root, file)
    this.#command = command
    this.#config = beginCassettes(options, ofTests)
    this.#ofFile = this.#attemptOf([], 0)
    lead(this.#ofFile)
  }

  /** What is asked outside of all tests belongs to it. */
  get scope(): Attempt {
    return this.#ofFile
  }

  /** Gives the file what is asked outside of all tests: by its modules, and by hooks that run once. */
  enter(): void {
    setFileScope(this.#ofFile)
  }

  /** Runs what belongs to the file and to no test. */
  run<Result>(run: () => Result): Result {
    return runInScope(this.#ofFile, run)
  }

  /**
   * Opens the cassette of a test.
   *
   * @param titles those of its suites and its own, outermost first
   * @param identity is the same for all attempts of one test, and another one for each other test
   * @param isAlone whether no other test runs at the same time
   */
  begin(
    titles: readonly string[],
    identity: unknown,
    { ordinal = 0, isAlone = false }: { ordinal?: number; isAlone?: boolean } = {},
  ): CassetteTest {
    const attempt = this.#attemptOf(titles, ordinal)
    lead(isAlone ? attempt : this.#ofFile)
    return new CassetteTest(attempt, isAlone, async (outcome) => {
      const place = JSON.stringify([sameTitles(titles), ordinal])
      const failure = await this.#judge(attempt, place, identity, outcome)
      if (isAlone) lead(this.#ofFile)
      return failure
    })
  }

  /** A test does not run, so what the file asks may be less. */
  skip(): void {
    this.#isPartial = true
  }

  /** Keeps a failure that the runner would not count, since it expects its test to fail. */
  keep(failure: ReportedFailure): void {
    this.#late.push(Promise.resolve(failure))
  }

  /** Ends the file. Resolves to its failures. */
  async end(): Promise<ReportedFailure[]> {
    setFileScope(undefined)
    const attempt = this.#ofFile
    await endRequests(attempt)
    if (owesNothing(attempt)) attempt.abandon()
    else {
      const outcome = { passed: this.#failed.size === 0, partial: this.#isPartial }
      this.#late.unshift(closing(attempt, outcome))
    }
    const failures = (await Promise.all(this.#late)).filter((failure) => failure !== undefined)
    this.#late.length = 0
    return failures
  }

  async #judge(
    attempt: Attempt,
    place: string,
    identity: unknown,
    { errors, isSkipped = false, isTriedAgain = false }: RunnerOutcome,
  ): Promise<ReportedFailure | undefined> {
    await endRequests(attempt)
    if (isSkipped) this.skip()
    if (errors.length > 0) this.#failed.add(identity)
    else this.#failed.delete(identity)
    if (owesNothing(attempt)) return void attempt.abandon()
    if (attempt.wasAsked) {
      if (!this.#asked.has(place)) this.#asked.set(place, identity)
      if (this.#asked.get(place) !== identity) attempt.reject(sameName(attempt))
    }
    const passed = errors.length === 0
    const failure = await closing(attempt, { passed, partial: isSkipped, isTriedAgain })
    if (failure) this.#failed.add(identity)
    return failure
  }

  #attemptOf(titles: readonly string[], ordinal: number): Attempt {
    const place = { file: this.#file, titles: [...titles], ordinal }
    const recordCommand = (file: string): string => recording(this.#command(file, titles))
    const owner = new RunnerOwner(place, this.#root, this.#listener, recordCommand, 'runner')
    return new Attempt(owner, this.#config, hostOn(layers), owner.isLeftOut(this.#config))
  }
}

/** One attempt of one test. */
export class CassetteTest {
  readonly #attempt: Attempt
  readonly #judge: (outcome: RunnerOutcome) => Promise<ReportedFailure | undefined>
  readonly #leave: () => void
  #isEnded = false

  constructor(
    attempt: Attempt,
    isAlone: boolean,
    judge: (outcome: RunnerOutcome) => Promise<ReportedFailure | undefined>,
  ) {
    this.#attempt = attempt
    this.#judge = judge
    const endRunning = noteRunning(attempt)
    setLoneTest(isAlone ? { attempt, leavesToFile: () => false } : undefined)
    this.#leave = () => {
      endRunning()
      if (isAlone) setLoneTest(undefined)
    }
  }

  /** Runs code of the test. Everything that it starts asks the cassette of the test. */
  run<Result>(run: () => Result): Result {
    return runInScope(this.#attempt, run)
  }

  /** Judges the test once, and writes its cassette. Resolves to its failure. */
  async end(outcome: RunnerOutcome): Promise<ReportedFailure | undefined> {
    if (this.#isEnded) return undefined
    this.#isEnded = true
    try {
      return await this.#judge(outcome)
    } finally {
      this.#leave()
    }
  }
}

/**
 * Runs the function of a test with a cassette, and throws what the runner has to report.
 *
 * @throws CassetteError as a test of Vitest fails, also where the test catches the error of its request
 */
export async function runWithCassette<Result>(
  running: CassetteTest,
  run: () => Result | Promise<Result>,
  end: {
    isSkipped?: () => boolean
    isTriedAgain?: () => boolean
    /** Takes a failure that the runner would not count. Returns whether it is one. */
    keep?: (failure: ReportedFailure) => boolean
  } = {},
): Promise<Result> {
  const errors: unknown[] = []
  let result: Result | undefined
  try {
    result = await running.run(run)
  } catch (error) {
    errors.push(error)
  }
  const isSkipped = end.isSkipped?.() ?? false
  const isTriedAgain = end.isTriedAgain?.() ?? false
  const failure = await running.end({ errors: isSkipped ? [] : errors, isSkipped, isTriedAgain })
  if (failure && !end.keep?.(failure)) throw errorOfFailure(failure, isSkipped ? [] : errors)
  if (errors.length > 0) throw errors[0]
  return result as Result
}

/**
 * The one error of a test that failed for its cassette. Its own errors followed, and become lines of it.
 *
 * @param errors what the test threw; is emptied
 */
export function errorOfFailure(failure: ReportedFailure, errors: unknown[] = []): CassetteError {
  const { code, headline, details, callSite } = failure
  const lines = takeConsequences(errors).map((error) => String(error).split('\n')[0]!)
  const error = new CassetteError(code, withConsequences(`${headline}\n${details}`, lines))
  const own = join(import.meta.dirname, '/')
  const isOfUser = (frame: string): boolean =>
    /[\\/]/.test(frame) && !/node_modules|node:/.test(frame)
  return withFrames(
    error,
    stackLines(callSite).filter((frame) => isOfUser(frame) && !frame.includes(own)),
  )
}

/** The one error of a file, for the failures that no test of it reports; `undefined` without any. */
export function errorOfFailures(failures: readonly ReportedFailure[]): CassetteError | undefined {
  const [first, ...others] = failures.map((failure) => errorOfFailure(failure))
  if (!first || others.length === 0) return first
  const text = [first, ...others].map(({ message }) => message).join('\n\n')
  return withFrames(new CassetteError(first.code, text), stackLines(first))
}

/**
 * Begins interception. What is asked before a file is known is refused by name.
 *
 * @param target what the tests have for this process
 * @throws CassetteError `invalid-option`, `invalid-environment`, `recording-refused`
 */
export function beginCassettes(options: RunnerOptions, target?: HasEnvironment): ResolvedConfig {
  if (process.versions.deno) throw inDeno()
  const config = resolveConfig(checked(options), readEnvironment(process.env))
  installInterception(config, layers, answerChildren(layers))
  // Bun has no hook for promises.
  if (process.versions.bun === undefined && recordsAnswers(config.mode))
    layers.connections().followAnswers()
  lendKeys(
    {
      beginsOpen: config.keys && sendsNothing(config.mode),
      isOpen() {
        const { keys, mode } = configHere(config)
        return keys && sendsNothing(mode)
      },
      isRecorded() {
        const scope = currentScope()
        return typeof scope === 'object' && (scope.owner as RunnerOwner).isRecorded(scope.config)
      },
    },
    target,
  )
  return config
}

/** Ends interception, and restores every global. */
export function endCassettes(): void {
  lending.end?.()
  setLoneTest(undefined)
  setFileScope(undefined)
  removeInterception()
}

/** @throws CassetteError `invalid-option` */
function checked(options: RunnerOptions): CassetteOptions {
  if (Object.keys(options).length === 0) return {}
  return loadChecks().checkOptions(options)
}

/** True if the attempt made no request, and no cassette expects one. */
function owesNothing({ wasAsked, owner, config }: Attempt): boolean {
  return !wasAsked && !owner.hasCassette(config)
}

async function closing(
  attempt: Attempt,
  outcome: { passed: boolean; partial: boolean; isTriedAgain?: boolean },
): Promise<ReportedFailure | undefined> {
  return (await attempt.close({ ...outcome, now: realTime(), color: hasColors() })).failure
}

/** Names the attempt for which clients ask that tell no scope. Bun alone has such. */
function lead(attempt: Attempt): void {
  if (process.versions.bun !== undefined) layers.bun().leadNative(attempt)
}

/** Two tests of one name have one cassette, in which neither could tell its answers from those of the other. */
function sameName({ owner, config }: Attempt): CassetteError {
  const { id, cassette } = owner.test(config.dir)
  return new CassetteError(
    'refused',
    `Two tests have the same name and ask a model: ${id}\n` +
      `Both would have the cassette ${cassette}, and take the answers of each other. Give one another name.`,
  )
}
