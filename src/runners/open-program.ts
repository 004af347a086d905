import { basename, dirname, join, relative, resolve } from '../real/path.ts'
import { Attempt } from '../attempt/attempt.ts'
import type { Owner } from '../attempt/owner.ts'
import { readEnvironment } from '../config/environment.ts'
import { hasColors } from '../config/has-colors.ts'
import type { TestOptions } from '../config/options.ts'
import { displayPath, isWithin, pathFrom } from '../config/paths.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import type { TestIdentity } from '../engine/session-contract.ts'
import { CassetteError } from '../errors.ts'
import type { ReportedFailure } from '../explain/failure.ts'
import { realTime } from '../real/clock.ts'
import { existsSync } from '../real/files.ts'
import { loadLater } from '../real/load-later.ts'
import type { AskedExchange } from '../recording/asked.ts'
import { answerChildren } from '../transports/answer-children.ts'
import {
  installInterception,
  isInterceptionInstalled,
  removeInterception,
} from '../transports/install.ts'
import { hostOn, layers } from '../transports/layers.ts'
import { hasOpen, type OpenRequest, settleRequests } from '../transports/open-requests.ts'
import { collectReports, takeSeenServers } from '../transports/reports.ts'
import { setFileScope } from '../transports/scope.ts'

const loadChecks = loadLater('./checks.mjs', () => import('../config/check-options.ts'))
/** Loads what a program needs that fails. */
export const loadFailures = loadLater(
  './program-failures.mjs',
  () => import('./program/program-failures.ts'),
)

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
  close(failed?: string): Promise<ReportedFailure | undefined>
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
  if (process.versions.deno) throw inDeno()
  const checked = checkOptions(options)
  const owner = new ProgramOwner(path, recordCommand)
  const config = { ...resolveConfig(checked, readEnvironment(process.env)), dir: owner.dir }
  if (isInterceptionInstalled()) throw loadFailures().alreadyOpen()
  const { run, dir } = config
  // A child of a test, in a run that records other tests.
  const isLeftOut =
    run !== undefined && layers.replay().isLeftOut(run.folder, owner.test(dir).cassette)
  const attempt = new Attempt(owner, config, hostOn(layers), isLeftOut)
  const isOurs = (request: OpenRequest): boolean => request.scope === attempt
  installInterception(config, layers, answerChildren(layers))
  setFileScope(attempt)
  if (process.versions.bun !== undefined) layers.bun().leadNative(attempt)
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
      attempt.endWaiting()
      const unsent = hasOpen(isOurs) ? await settleRequests(isOurs) : []
      if (unsent.length > 0) loadFailures().giveUp(unsent)
      collectReports(attempt)
      const { tunnels } = takeSeenServers()
      if (tunnels.length > 0)
        console.warn(`[vitest-cassette] ${layers.engine().tellTunnels(tunnels)}`)
      try {
        const outcome = {
          passed: failed === undefined,
          failed,
          now: realTime(),
          // Asked where something is printed.
          get color() {
            return hasColors()
          },
        }
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

/** The options of a program. Most name a path alone, and load nothing that checks others. */
function checkOptions(options: TestOptions): TestOptions {
  if (Object.keys(options).length === 0) return {}
  return loadChecks().checkTestOptions(options, 'openCassette({ … })')
}

/** Nothing here sees its clients: their calls would reach the provider. */
export function inDeno(): CassetteError {
  return new CassetteError(
    'refused',
    'No cassette sees the clients of Deno. Run them by the command:\n  npx vitest-cassette run -- deno test -A',
  )
}

/** A program as the owner of a cassette. Its project is the working directory, or else the package of the cassette. */
export class ProgramOwner implements Owner {
  readonly root: string
  /** The cassette folder, relative to the root. */
  readonly dir: string
  readonly #path: string
  readonly #recordCommand?: string
  /** Where the program was when it opened the cassette. */
  readonly #from: string = process.cwd()
  readonly #optionsOf: TestIdentity['optionsOf']

  /**
   * @param path the file of the cassette, as the program names it
   * @param recordCommand the command of this package that records it, if one does
   */
  constructor(path: string, recordCommand?: string) {
    const folder = dirname(resolve(path))
    const isHere = isWithin(process.cwd(), folder)
    this.root = isHere ? process.cwd() : packageOf(folder)
    this.dir = relative(this.root, folder) || '.'
    this.#path = path
    this.#recordCommand = recordCommand
    this.#optionsOf = recordCommand === undefined ? 'openCassette' : 'command'
  }

  /** The same wherever the program starts, and on every machine. */
  get id(): string {
    return pathFrom(this.root, resolve(this.#path))
  }

  test(dir: string): TestIdentity {
    const given = this.#recordCommand
    const from = this.#from
    return {
      id: this.id,
      cassette: this.#path,
      blobs: join(dir, 'blobs'),
      asked: layers.paths().ASKED_PICTURES,
      // Only a failure names it.
      get recordCommand() {
        return given ?? loadFailures().ownCommand(process.argv, from)
      },
      optionsOf: this.#optionsOf,
    }
  }

  shown(path: string): string {
    return displayPath(process.cwd(), resolve(this.root, path))
  }

  path(): string {
    return basename(this.#path)
  }

  hasCassette(): boolean {
    return existsSync(resolve(this.#path))
  }
}

/** The folder of the package around a folder; the folder itself, where it is in none. */
function packageOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at))
    if (existsSync(join(at, 'package.json'))) return at
  return folder
}
