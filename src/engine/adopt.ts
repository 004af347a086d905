import type { SentRequest } from './asked.ts'
import type { Miss } from './miss.ts'
import type { Recording } from './recording.ts'
import type { Session } from './session.ts'
import type { TestIdentity } from './session-options.ts'

/** Takes a request that is recorded out of a session; `undefined` where it is not there any more. */
export function takeOut({ arrived }: Session, recording: Recording): SentRequest | undefined {
  const index = arrived.findIndex((one) => one.recording === recording)
  return index < 0 ? undefined : (arrived.splice(index, 1)[0] as SentRequest)
}

/** Gives a session a request that another one has sent. */
export function adopt(session: Session, asked: SentRequest): void {
  session.arrived.push(asked)
  session.pending.add(asked.recording.kept!, asked.recording)
}

/** Gives a session a request that another one has sent, and that comes too late for it. Its answer is there. */
export function adoptLate(session: Session, asked: SentRequest, meanwhile: TestIdentity): void {
  session.late.record(asked, asked.recording, meanwhile)
  void session.options.keep?.(asked, true)
}

/** Gives a session a request that another one did not answer. */
export function adoptMiss(session: Session, miss: Miss, meanwhile: TestIdentity): void {
  const own = { ...miss, starter: undefined, running: [meanwhile] }
  if (!session.late.isOver) return void session.misses.push(own)
  session.late.hear({ miss: { ...own, reason: 'closed' } })
}
