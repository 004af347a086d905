import { Journal } from '../../cassette/disk/journal.ts'
import { cassettePath, conversationId } from '../../cassette/disk/path.ts'
import { ASKED_PICTURES } from '../../cassette/disk/outside-git.ts'
import { CassetteStore } from '../../cassette/disk/store.ts'
import type { TestPlace } from '../../cassette/disk/test-place.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { askAgain } from '../../engine/replay-at-once.ts'
import { saidBefore } from '../../engine/recording.ts'
import { Session } from '../../engine/session.ts'
import { Validity } from '../../engine/validity.ts'
import type { TestIdentity } from '../../engine/test-identity.ts'
import type { Verbatim } from '../../engine/verbatim.ts'
import type { LateRequests } from './late-requests.ts'
import { fromUser } from './from-user.ts'
import { recordCommand } from './record-command.ts'
import { keepAnswer } from './keep-answer.ts'
import { judgeRecording } from './judge-recording.ts'

/** A session together with where its cassette is kept. */
export interface OpenSession {
  session: Session
  path: string
  store: CassetteStore
  /** What was paid for in this attempt. */
  journal: Journal
  place: TestPlace
  root: string
  late: LateRequests
}

/**
 * Opens the session of a test, or of what a file asks outside of its tests.
 *
 * @param late hears of what the test does not wait for
 * @param asked what was answered before without one
 */
export function openSession(
  place: TestPlace,
  root: string,
  config: ResolvedConfig,
  late: LateRequests,
  asked?: Verbatim,
): OpenSession {
  const { dir } = config
  const store = new CassetteStore(root, dir, config.maxCassetteBytes)
  const path = cassettePath(place)
  const test = identify(place, dir)
  const journal = new Journal({ root, dir, path, id: test.id })
  const session: Session = new Session(
    test,
    config,
    () => asked?.cassette ?? store.load(path),
    // Loads nothing: the context of a file in a vm pool can do so no more when the file has ended.
    async (asked, isLate) => {
      if (!isLate) return keepAnswer(session, asked, journal)
      // That of the attempt is deleted with its verdict. What is said on a socket has no place without its beginning.
      const own = new Journal({ root, dir, path, id: test.id })
      const before = saidBefore(asked, [...session.asked, ...session.late.asked])
      for (const one of [...before, asked]) keepAnswer(session, one, own)
      late.release(own)
    },
    new Validity((cassette, options) => judgeRecording(cassette, options, root, `${dir}/${path}`)),
  )
  session.late.hear = (request) => late.hear(session, request)
  if (asked) askAgain(session, asked)
  return { session, path, store, journal, place, root, late }
}

/** How messages name a test. `dir` is the cassette folder. */
function identify(place: TestPlace, dir: string): TestIdentity {
  return {
    id: conversationId(place),
    cassette: fromUser(`${dir}/${cassettePath(place)}`),
    blobs: fromUser(`${dir}/blobs`),
    asked: fromUser(ASKED_PICTURES),
    recordCommand: recordCommand(place),
  }
}
