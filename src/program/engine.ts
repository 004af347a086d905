// What loads where a cassette is asked anything but its own words: one file for all.
import { basename, dirname, join, relative, resolve } from 'node:path'
import pc from 'picocolors'
import { ASKED_PICTURES } from '../cassette/disk/outside-git.ts'
import { CassetteStore } from '../cassette/disk/store.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { Verdict } from '../explain/judge.ts'
import { askAgain } from '../engine/replay-at-once.ts'
import { Session } from '../engine/session.ts'
import type { Verbatim } from '../engine/verbatim.ts'

export { replayAtOnce } from '../engine/replay-at-once.ts'
export { answerFromSession } from '../intercept/answer/answer-from-session.ts'
export { answerSocket } from '../intercept/websocket/answer-socket.ts'
export { isLlmCall } from '../intercept/call/is-llm-call.ts'
export { sendUpstream } from '../intercept/answer/upstream.ts'

/**
 * Opens the session of a cassette.
 *
 * @param asked what was answered before without one
 */
export function openSession(
  path: string,
  config: ResolvedConfig,
  asked: Verbatim | undefined,
): Session {
  const store = storeOf(path, config)
  const session = new Session(
    identify(path),
    config,
    () => asked?.cassette ?? store.load(basename(path)),
  )
  if (asked) askAgain(session, asked)
  return session
}

/**
 * Judges a session whose answers have all ended, and writes what is to be kept of it.
 *
 * @throws CassetteError as a test fails
 */
export async function endSession(session: Session, path: string): Promise<void> {
  const { judgeWhole } = await import('../explain/judge-secrets.ts')
  const store = storeOf(path, session.config)
  const name = basename(path)
  const color = pc.isColorSupported
  const verdict = await judgeWhole(session, { passed: true, now: new Date(), color })
  for (const { details } of verdict.handOvers ?? []) console.warn(details)
  if (verdict.warning) console.warn(verdict.warning)
  if (verdict.save) await store.save(name, verdict.save, verdict.settle)
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

function storeOf(path: string, { maxCassetteBytes }: ResolvedConfig): CassetteStore {
  return new CassetteStore(dirname(resolve(path)), '.', maxCassetteBytes)
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
