import pc from 'picocolors'
import { readEnvironment } from '../config/environment.ts'
import type { TestOptions } from '../config/options.ts'
import { recognizeTestOptions } from '../config/recognize-options.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { AskedExchange } from '../engine/turns/asked-exchange.ts'
import { Attempt } from '../host/attempt.ts'
import { realTime } from '../host/clock.ts'
import { hostOn, layers } from '../intercept/answer/layers.ts'
import {
  closeRequest,
  hasOpen,
  settleRequests,
  type OpenRequest,
} from '../intercept/context/open-requests.ts'
import { setFileScope } from '../intercept/context/scope.ts'
import { loadLater } from '../intercept/patch/load-later.ts'
import {
  isInterceptionInstalled,
  installInterception,
  removeInterception,
} from '../intercept/install.ts'
import { failureOfProgram } from './failure-of-program.ts'
import { ProgramOwner } from './program-owner.ts'

const loadSchema = loadLater('./schema.mjs', () => import('../config/parse-options.ts'))

export type { AskedExchange } from '../engine/turns/asked-exchange.ts'
export type { TestOptions } from '../config/options.ts'

/** What `openCassette` takes: the options that a test can have, and where the cassette is. */
export interface OpenCassetteOptions extends TestOptions {
  /** The file of the cassette, relative to the working directory; images are kept in `blobs/` beside it. */
  path: string
}

/** A cassette that answers all LLM calls of this process, until it is closed. */
export interface OpenCassette {
  /** What was asked and got so far, in the order asked. */
  readonly exchanges: AskedExchange[]
  /**
   * Ends interception, puts every global back, and writes what was recorded.
   *
   * @throws CassetteError as a test fails: `miss`, `unused`, `recording-failed`, `refused`, `invalid-cassette`.
   */
  close(): Promise<void>
  /** Closes it at the end of an `await using`, which keeps the error of the program beside that of the cassette. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a cassette in a process without Vitest: a script, another test runner, a benchmark. All LLM calls of
 * the process are its own. `RECORD` decides on recording, as it does everywhere.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, and where a cassette is open
 * already, as in a test that has the set-up of the plugin; `invalid-environment`, `recording-refused`
 * @example
 * await using cassette = openCassette({ path: '__recordings__/summary.json' })
 * await summarize()
 */
export function openCassette({ path, ...options }: OpenCassetteOptions): OpenCassette {
  const checked = recognizeTestOptions(options) ?? loadSchema().parseTestOptions(options)
  const owner = new ProgramOwner(path)
  const config = { ...resolveConfig(checked, readEnvironment(process.env)), dir: owner.dir }
  if (isInterceptionInstalled()) throw alreadyOpen()
  const { recordRun: run, dir } = config
  // A child of a test, in a run that records other tests.
  const isLeftOut = run !== undefined && layers.replay().isLeftOut(run, owner.test(dir).cassette)
  const attempt = new Attempt(owner, config, hostOn(layers), isLeftOut)
  const isOurs = (request: OpenRequest): boolean => request.scope === attempt
  installInterception(config, layers)
  setFileScope(attempt)
  const opened: OpenCassette = {
    get exchanges() {
      return layers.engine().exchangesOf(attempt.session)
    },
    async close() {
      if (hasOpen(isOurs)) giveUp(await settleRequests(isOurs))
      try {
        const color = pc.isColorSupported
        const { failure } = await attempt.close({ passed: true, now: realTime(), color })
        if (failure) throw failureOfProgram(failure)
      } finally {
        setFileScope(undefined)
        removeInterception()
      }
    },
    [Symbol.asyncDispose]: () => opened.close(),
  }
  return opened
}

/** Nobody stands in the way of what is sent after the end. */
function giveUp(unsent: readonly OpenRequest[]): void {
  for (const request of unsent) {
    const text = `${request.address} was begun before close() and is not sent. Await it before the cassette is closed.`
    console.warn(`[vitest-cassette] ${text}`)
    request.giveUp?.(new CassetteError('refused', text))
    closeRequest(request)
  }
}

function alreadyOpen(): CassetteError {
  return new CassetteError(
    'invalid-option',
    'openCassette() was called where a cassette is open: close that one first. In tests with the set-up of ' +
      'vitest-cassette each test has a cassette of its own, and useCassette() gives it options.',
  )
}
