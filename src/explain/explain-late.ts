import { countOf } from '../text/count-of.ts'
import { printable } from '../text/printable.ts'
import { explainMiss } from './explain-miss.ts'
import { hideInExplanation } from './judge-secrets.ts'
import type { Failure } from './judge-attempt.ts'
import { askedByText, showCommand, WAIT_FOR_EXIT } from './advice/show-command.ts'
import { inColors, labelled } from './labelled.ts'
import type { LateRequest } from '../engine/late-requests.ts'
import type { Session } from '../engine/session.ts'

/** A request that was sent while recording, when its test had ended. */
export interface SentLate {
  session: Session
  recording: NonNullable<LateRequest['recording']>
  /** The test that ran meanwhile, if it was one. */
  meanwhile?: LateRequest['meanwhile']
}

/** Explains requests that are in no cassette, since no cassette waits for them: replay refuses them. */
export function explainSent(sent: readonly [SentLate, ...SentLate[]]): Failure {
  const [were, their, are] =
    sent.length === 1 ? ['was', 'its test', 'is'] : ['were', 'their tests', 'are']
  const told: Failure = {
    code: 'outside-test',
    callSite: sent[0].recording.callSite,
    headline: `${countOf(sent.length, 'request')} ${were} sent when ${their} had ended, and ${are} in no cassette`,
    details: [
      ...sent.map(({ session, recording, meanwhile }) => {
        const { method, url } = recording.incoming.wire
        const by = askedByText(recording.askedBy)
        const ran = meanwhile ? ` (while ${meanwhile.id} ran)` : ''
        return `  ${printable(`${session.test.id}: ${method} ${url}${by}${ran}`)}`
      }),
      '',
      'Await all requests in the test that starts them, and record it again. Replay refuses late requests.',
      ...(sent.some(({ recording }) => recording.askedBy !== undefined) ? [WAIT_FOR_EXIT] : []),
      'What a queue asks belongs to the test that runs, if that waits for the answer.',
    ].join('\n'),
  }
  return hideInExplanation(sent[0].session, told)
}

/** Explains a refusal that came after the verdict of its test. */
export function explainLate(
  session: Session,
  { miss, error }: Pick<LateRequest, 'miss' | 'error'>,
  color: boolean,
): Failure {
  if (miss) {
    const told = hideInExplanation(session, explainMiss(session, miss, color))
    return { code: 'miss', ...told, callSite: miss.callSite }
  }
  const [said, ...rest] = printable(error!.message).split('\n')
  const told: Failure = {
    code: error!.code,
    callSite: error,
    headline: `Asked when the test "${printable(session.test.id)}" had ended: ${said}`,
    details: [labelled('test', printable(session.test.id)), '', ...rest].join('\n'),
  }
  return inColors(hideInExplanation(session, told), color)
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
