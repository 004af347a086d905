import { basename, dirname, resolve } from 'node:path'
import { CassetteReader } from '../cassette/disk/reader.ts'
import { recognizeCassette } from '../cassette/format/recognize.ts'
import { readEnvironment } from '../config/environment.ts'
import type { TestOptions } from '../config/options.ts'
import { recognizeTestOptions } from '../config/recognize-options.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { AskedExchange } from '../engine/asked.ts'
import { mayBeVerbatim, Verbatim } from '../engine/verbatim.ts'
import {
  closeRequest,
  hasOpen,
  settleRequests,
  type OpenRequest,
} from '../intercept/context/open-requests.ts'
import { areRoadsInstalled, installRoads, removeRoads } from '../intercept/roads.ts'
import { setFileScope, TestScope } from '../intercept/context/scope.ts'
import { later } from './later.ts'

export type { AskedExchange } from '../engine/asked.ts'
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
  const checked = recognizeTestOptions(options) ?? later.schema().parseTestOptions(options)
  const config = resolveConfig(checked, readEnvironment(process.env))
  if (areRoadsInstalled()) throw alreadyOpen()
  const scope = new TestScope(config, {
    verbatim: (config) => openVerbatim(path, config),
    session: (config, asked) => later.engine().openSession(path, config, asked),
  })
  const isOurs = (request: OpenRequest): boolean => request.scope === scope
  installRoads(config, later)
  setFileScope(scope)
  const opened: OpenCassette = {
    get exchanges() {
      return scope.session.exchanges
    },
    async close() {
      if (hasOpen(isOurs)) giveUp(await settleRequests(isOurs))
      const session = scope.whole ? undefined : scope.session
      await session?.settle()
      scope.close()
      setFileScope(undefined)
      removeRoads()
      if (session) await later.engine().endSession(session, path)
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

function openVerbatim(path: string, config: ResolvedConfig): Verbatim | undefined {
  if (!mayBeVerbatim(config)) return undefined
  const file = resolve(path)
  const { maxCassetteBytes } = config
  const reader = new CassetteReader(dirname(file), '.', maxCassetteBytes, recognizeCassette)
  const cassette = reader.load(basename(file))
  return cassette && new Verbatim(cassette)
}

function alreadyOpen(): CassetteError {
  return new CassetteError(
    'invalid-option',
    'openCassette() was called where a cassette is open: close that one first. In tests with the set-up of ' +
      'vitest-cassette each test has a cassette of its own, and useCassette() gives it options.',
  )
}
