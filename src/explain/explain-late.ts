import type { LateRequest } from '../engine/late-requests.ts'
import type { Session } from '../engine/session.ts'
import { failureOfMiss } from './explain-miss.ts'
import { showCommand } from './facts/show-command.ts'
import { decideFailure, type RenderedFailure } from './failure.ts'
import { REFUSED_LATE, SENT_LATE } from './failures/late.ts'
import { renderSafely } from './judge-secrets.ts'

/** A request that was sent while recording, when its test had ended. */
export interface SentLate {
  session: Session
  recording: NonNullable<LateRequest['recording']>
  /** The test that ran meanwhile, if it was one. */
  meanwhile?: LateRequest['meanwhile']
}

/** Explains requests that are in no cassette. */
export function explainSent(
  sent: readonly [SentLate, ...SentLate[]],
  color: boolean,
): RenderedFailure {
  return renderSafely(sent[0].session, decideFailure([SENT_LATE], sent)!, color)
}

/** Explains a refusal that came after the verdict of its test. */
export function explainLate(
  session: Session,
  { miss, error }: Pick<LateRequest, 'miss' | 'error'>,
  color: boolean,
): RenderedFailure {
  const failure = miss
    ? failureOfMiss(session, miss, color)
    : decideFailure([REFUSED_LATE], { test: session.test, error: error! })!
  return renderSafely(session, failure, color)
}

/** How many programs are named. */
const MAX_PROGRAMS = 3

/** Names the programs for which a test waited, since a request of one is refused, and the line of the only one. */
export function nameWaited(
  text: string,
  programs: ReadonlyArray<{ command: string; callSite: Error }>,
): { text: string; callSite?: Error } {
  const named = [...new Set(programs.map(({ command }) => showCommand(command)))]
  const what = named.length === 1 ? 'The program' : 'One of the programs'
  return {
    text: `${text}\n${what}: ${named.slice(0, MAX_PROGRAMS).join(', ')}`,
    ...(named.length === 1 ? { callSite: programs[0]!.callSite } : {}),
  }
}
