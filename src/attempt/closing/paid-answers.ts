import { say } from '../say.ts'
import type { Journal } from '../../cassette/journal.ts'
import type { ParamValues } from '../../config/check-params.ts'
import type { AskedRequest } from '../../engine/session-contract.ts'
import { saidBefore } from '../../engine/recording.ts'
import type { Session } from '../../engine/session.ts'
import { recordedTurn } from '../../recording/assemble.ts'
import { readAhead } from '../../recording/read-ahead.ts'
import { isDiscarded } from '../run-channel.ts'
import { keptNames } from '../../secrets/redactions.ts'
import { redactKnown } from '../../secrets/redactor.ts'
import { journalOf, newJournal } from './close-attempt.ts'
import type { OpenSession } from '../owner.ts'
import { reportUsage } from '../spending.ts'

/** The warnings printed so far: each is printed once for each process. */
const said = new Set<string>()

/**
 * Keeps an answer that was paid for until its cassette is written. An error here fails no test.
 *
 * @param isLate the test has ended: no cassette waits for the answer
 */
export function keepPaidAnswer(open: OpenSession, asked: AskedRequest, isLate: boolean): void {
  const { session, owner } = open
  reportUsage(session, asked)
  if (isDiscarded(session.config.run?.folder)) return
  if (!isLate) {
    keepIn(journalOf(open), session, asked)
    return readAhead(asked.recording!)
  }
  // The verdict deletes the journal of the attempt. A request on a socket is kept with those before it.
  const own = newJournal(open)
  const before = saidBefore(asked, [...session.asked, ...session.late.asked])
  for (const one of [...before, asked]) keepIn(own, session, one, true)
  owner.late?.release(own)
}

function keepIn(
  journal: Journal,
  session: Session,
  { order, recording }: AskedRequest,
  late?: boolean,
): void {
  const turn = recording && recordedTurn(session, recording, order)
  if (!turn) return
  const { incoming, response, durationMs, span } = turn
  const { hash, after, wire: request } = incoming
  const { sample } = turn
  // An exchange names a parameter, but the journal has all of them.
  const params = withoutKnown(session.params.values)
  try {
    const ended = span?.ended
    const { redact } = session.config
    const keep = redact.length === 0 ? [] : keptNames(redact)
    const told = { ...(keep.length > 0 ? { keep } : {}), late, params }
    journal.append({ order, ended, sample, hash, after, request, response, durationMs, ...told })
  } catch (error) {
    return warn(
      `Answers cannot be kept while they are recorded (${(error as Error).message}): a crash would lose them.`,
    )
  }
  if (journal.isElsewhere)
    warn(
      `node_modules/.cache cannot be written, so answers are kept in ${journal.display} while they are recorded.`,
    )
}

function withoutKnown(values: ParamValues): ParamValues {
  if (Object.keys(values).length === 0) return values
  return JSON.parse(redactKnown(JSON.stringify(values), process.env)) as ParamValues
}

function warn(text: string): void {
  const [kind] = text.split('(') as [string]
  if (said.has(kind)) return
  said.add(kind)
  say(`[vitest-cassette] ${text}`)
}
