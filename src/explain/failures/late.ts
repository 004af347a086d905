import type { TestIdentity } from '../../engine/session-contract.ts'
import type { CassetteError } from '../../errors.ts'
import { countOf } from '../../text/count-of.ts'
import { printable } from '../../text/printable.ts'
import type { SentLate } from '../explain-late.ts'
import { askedByText } from '../facts/show-command.ts'
import type { FailureKind } from '../failure.ts'
import { labelled } from '../labelled.ts'
import { WAIT_FOR_EXIT } from './misses.ts'

/** Requests that were sent when their test had ended: no cassette waits for them, and replay refuses them. */
export const SENT_LATE: FailureKind<readonly [SentLate, ...SentLate[]]> = {
  name: 'sent-late',
  code: 'outside-test',
  when: () => true,
  headline(sent) {
    const [were, their, are] =
      sent.length === 1 ? ['was', 'its test', 'is'] : ['were', 'their tests', 'are']
    return `${countOf(sent.length, 'request')} ${were} sent when ${their} had ended, and ${are} in no cassette`
  },
  details: (sent) => [
    sent
      .map(({ session, recording, meanwhile }) => {
        const { method, url } = recording.incoming.wire
        const by = askedByText(recording.askedBy)
        const ran = meanwhile ? ` (while ${meanwhile.id} ran)` : ''
        return `  ${printable(`${session.test.id}: ${method} ${url}${by}${ran}`)}`
      })
      .join('\n'),
  ],
  advice: (sent) =>
    [
      'Await all requests in the test that starts them, and record it again. Replay refuses late requests.',
      ...(sent.some(({ recording }) => recording.askedBy !== undefined) ? [WAIT_FOR_EXIT] : []),
      'What a queue asks belongs to the test that runs, if that waits for the answer.',
    ].join('\n'),
  more: (sent) => ({ callSite: sent[0].recording.callSite }),
}

/** A refusal that came after the verdict of its test. */
export const REFUSED_LATE: FailureKind<{ test: TestIdentity; error: CassetteError }> = {
  name: 'refused-late',
  code: ({ error }) => error.code,
  when: () => true,
  headline: ({ test, error }) =>
    `Asked when the test "${printable(test.id)}" had ended: ${linesOf(error)[0]}`,
  details: ({ test, error }) => [
    labelled('test', printable(test.id)),
    linesOf(error).slice(1).join('\n'),
  ],
  more: ({ error }) => ({ callSite: error }),
}

function linesOf({ message }: CassetteError): string[] {
  return printable(message).split('\n')
}
