import { hasColors } from '../config/has-colors.ts'
import { readEnvironment } from '../config/environment.ts'
import type { TestOptions } from '../config/options.ts'
import { recognizeTestOptions } from '../config/recognize-options.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { Failure } from '../explain/judge-attempt.ts'
import type { AskedExchange } from '../engine/turns/asked-exchange.ts'
import { Attempt } from '../host/attempt.ts'
import { realTime } from '../real/clock.ts'
import { answerChildren } from '../gateway/answer-children.ts'
import { hostOn, layers } from '../intercept/answer/layers.ts'
import {
  closeRequest,
  hasOpen,
  settleRequests,
  type OpenRequest,
} from '../intercept/context/open-requests.ts'
import { collectReports } from '../intercept/guard/reports.ts'
import { takeSeenServers } from '../intercept/context/seen-servers.ts'
import { setFileScope } from '../intercept/context/scope.ts'
import { loadLater } from '../real/load-later.ts'
import {
  isInterceptionInstalled,
  installInterception,
  removeInterception,
} from '../intercept/install.ts'
import { ProgramOwner } from './program-owner.ts'

const loadSchema = loadLater('./schema.mjs', () => import('../config/parse-options.ts'))

/** The options of a test, and the path of the cassette. */
export interface ProgramOptions extends TestOptions {
  /** The file of the cassette, relative to the working directory; images are kept in `blobs/` beside it. */
  path: string
}

/** A program whose LLM calls all go to one cassette until it is closed. */
export interface OpenProgram {
  readonly attempt: Attempt
  /** The requests and answers so far, in order. */
  readonly exchanges: AskedExchange[]
  /**
   * Ends interception, restores every global, writes the recording, and returns its failure.
   *
   * @param failed why the recording must not become the cassette, as the end of a sentence: 'the program failed'
   */
  close(failed?: string): Promise<Failure | undefined>
  /** Ends interception, and writes nothing. */
  abandon(): void
}

/**
 * Opens a cassette in a process without Vitest.
 *
 * @param recordCommand the command that records it; by default the one that runs
 * @throws CassetteError as `openCassette` does
 */
export function openProgram(
  { path, ...options }: ProgramOptions,
  recordCommand?: string,
): OpenProgram {
  const checked =
    recognizeTestOptions(options) ?? loadSchema().parseTestOptions(options, 'openCassette({ … })')
  const owner = new ProgramOwner(path, recordCommand)
  const config = { ...resolveConfig(checked, readEnvironment(process.env)), dir: owner.dir }
  if (isInterceptionInstalled()) throw alreadyOpen()
  const { recordRun: run, dir } = config
  // A child of a test, in a run that records other tests.
  const isLeftOut = run !== undefined && layers.replay().isLeftOut(run, owner.test(dir).cassette)
  const attempt = new Attempt(owner, config, hostOn(layers), isLeftOut)
  const isOurs = (request: OpenRequest): boolean => request.scope === attempt
  installInterception(config, layers, answerChildren(layers))
  setFileScope(attempt)
  const end = (): void => {
    setFileScope(undefined)
    removeInterception()
  }
  return {
    attempt,
    get exchanges() {
      return layers.engine().exchangesOf(attempt.session)
    },
    async close(failed) {
      if (hasOpen(isOurs)) giveUp(await settleRequests(isOurs))
      collectReports(attempt)
      const { tunnels } = takeSeenServers()
      if (tunnels.length > 0)
        console.warn(`[vitest-cassette] ${layers.engine().explainTunnels(tunnels)}`)
      try {
        const color = hasColors()
        const outcome = { passed: failed === undefined, failed, now: realTime(), color }
        return (await attempt.close(outcome)).failure
      } finally {
        end()
      }
    },
    abandon() {
      attempt.abandon()
      end()
    },
  }
}

/** Gives open requests up, since interception ends: they would reach the provider. */
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
