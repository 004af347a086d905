import type { Recording } from './recording.ts'
import type { Miss, SentRequest, TestIdentity } from './session-contract.ts'
import type { Session } from './session.ts'

/** Takes a request that is recorded out of a session; `undefined` where it is not there any more. */
export function takeOut({ arrived }: Session, recording: Recording): SentRequest | undefined {
  const index = arrived.findIndex((one) => one.recording === recording)
  return index < 0 ? undefined : (arrived.splice(index, 1)[0] as SentRequest)
}

/** Gives a session a request that another one has sent. */
export function adopt(session: Session, asked: SentRequest): void {
  session.arrived.push(asked)
  session.waitForAnswer(asked.recording, asked.recording.kept!)
}

/** Gives a session a request that another one has sent, and that comes too late for it. Its answer is there. */
export function adoptLate(session: Session, asked: SentRequest, meanwhile: TestIdentity): void {
  session.late.record(asked, asked.recording, session.test, meanwhile)
  void session.options.keep?.(asked, true)
}

/** Gives a session a request that another one did not answer. */
export function adoptMiss(session: Session, miss: Miss, meanwhile: TestIdentity): void {
  const own = { ...miss, starter: undefined, running: [meanwhile] }
  if (!session.late.isOver) return void session.misses.push(own)
  session.late.hear({ miss: session.late.isLeft ? own : { ...own, reason: 'closed' } })
}

/**
 * True when every exchange of a valid cassette was replayed for its own prompt, and nothing else was asked. Mode
 * `prompts` may still have to store how a request is spelled.
 */
export function onlyReplayed(session: Session): boolean {
  const { arrived, misses, faults, fault, validity, config } = session
  if (config.mode === 'prompts') return false
  // What a test was asked for can have become another's.
  const isReplay =
    arrived.length > 0 && arrived.every((one) => one.replayed && !one.undeclared && !one.kept)
  const isPlain = misses.length === 0 && !faults && !fault
  return isReplay && isPlain && session.unused.length === 0 && !validity.isInvalid
}
