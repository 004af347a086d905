import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import pc from 'picocolors'
import type { Cassette } from '../cassette/cassette.ts'
import { ASKED_PICTURES } from '../cassette/outside-git.ts'
import { CassetteReader } from '../cassette/reader.ts'
import { recognizeCassette } from '../cassette/recognize.ts'
import { CassetteStore } from '../cassette/store.ts'
import { readEnvironment } from '../config/environment.ts'
import { parseTestOptions, type TestOptions } from '../config/options.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { AskedExchange } from '../engine/asked.ts'
import { judgeWhole } from '../engine/judge-secrets.ts'
import type { Verdict } from '../engine/judge.ts'
import { askAgain, replayAtOnce } from '../engine/replay-at-once.ts'
import { Session } from '../engine/session.ts'
import { mayBeVerbatim, Verbatim } from '../engine/verbatim.ts'
import { answerAtOnce } from '../intercept/answer-at-once.ts'
import { answerFromSession } from '../intercept/answer-from-session.ts'
import { answerLlmCall } from '../intercept/answer-llm-call.ts'
import { answerSocket } from '../intercept/answer-socket.ts'
import { isLlmCall } from '../intercept/is-llm-call.ts'
import type { Later } from '../intercept/later.ts'
import { areRoadsInstalled, installRoads, removeRoads } from '../intercept/roads.ts'
import { setFileScope, TestScope } from '../intercept/scope.ts'
import { sendUpstream } from '../intercept/upstream.ts'

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
}

const require = createRequire(import.meta.url)

const later: Later = {
  replay: () => ({ answerAtOnce, answerLlmCall }),
  engine: () => ({ answerFromSession, answerSocket, isLlmCall, replayAtOnce, sendUpstream }),
  network: () => require('./network.mjs') as ReturnType<Later['network']>,
}

/**
 * Opens a cassette in a process without Vitest: a script, another test runner, a benchmark. All LLM calls of
 * the process are its own. `RECORD` decides on recording, as it does everywhere.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, and where a cassette is open
 * already, as in a test that has the set-up of the plugin; `invalid-environment`, `recording-refused`
 * @example
 * const cassette = openCassette({ path: '__recordings__/summary.json' })
 * await summarize()
 * await cassette.close()
 */
export function openCassette({ path, ...options }: OpenCassetteOptions): OpenCassette {
  const config = resolveConfig(parseTestOptions(options), readEnvironment(process.env))
  if (areRoadsInstalled()) throw alreadyOpen()
  const file = resolve(path)
  const [folder, name] = [dirname(file), basename(file)]
  const store = new CassetteStore(folder, '.', config.maxCassetteBytes)
  const scope = new TestScope(config, {
    verbatim(config) {
      if (!mayBeVerbatim(config)) return undefined
      const reader = new CassetteReader(folder, '.', config.maxCassetteBytes, recognizeCassette)
      const cassette = reader.load(name)
      return cassette && new Verbatim(cassette)
    },
    session(config, asked) {
      const load = (): Cassette | undefined => asked?.cassette ?? store.load(name)
      const session = new Session(identify(path), config, load)
      if (asked) askAgain(session, asked)
      return session
    },
  })
  installRoads(config, later)
  setFileScope(scope)
  return {
    get exchanges() {
      return scope.session.exchanges
    },
    async close() {
      const session = scope.whole ? undefined : scope.session
      await session?.settle()
      scope.close()
      setFileScope(undefined)
      removeRoads()
      if (session) await end(session, store, name)
    },
  }
}

async function end(session: Session, store: CassetteStore, name: string): Promise<void> {
  const color = pc.isColorSupported
  const verdict = await judgeWhole(session, { passed: true, now: new Date(), color })
  for (const { details } of verdict.handOvers ?? []) console.warn(details)
  if (verdict.warning) console.warn(verdict.warning)
  if (verdict.save) await store.save(name, verdict.save)
  const parked = verdict.park && (await store.park(name, verdict.park))
  await store.keepAsked(verdict.failure?.pictures ?? [])
  if (verdict.failure) throw failureError(verdict.failure, parked)
}

function failureError(
  { code, headline, details, callSite }: NonNullable<Verdict['failure']>,
  parked: string | undefined,
): CassetteError {
  const note = parked ? [`What was recorded is kept in ${parked}.`] : []
  const error = new CassetteError(code, [`${headline}\n${details}`, ...note].join('\n\n'))
  const [, ...frames] = callSite?.stack?.split('\n') ?? []
  if (frames.length > 0) error.stack = `${error.name}: ${error.message}\n${frames.join('\n')}`
  return error
}

function identify(path: string): Session['test'] {
  const program = process.argv[1] ? ` ${relative(process.cwd(), process.argv[1])}` : ''
  return {
    id: path,
    cassette: path,
    blobs: join(dirname(path), 'blobs'),
    asked: join(dirname(path), ASKED_PICTURES),
    recordCommand: `RECORD=1 node${program}`,
  }
}

function alreadyOpen(): CassetteError {
  return new CassetteError(
    'invalid-option',
    'openCassette() was called where a cassette is open: close that one first. In tests with the set-up of ' +
      'vitest-cassette each test has a cassette of its own, and useCassette() gives it options.',
  )
}
