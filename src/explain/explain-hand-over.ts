import { countOf } from '../diff/render/count-of.ts'
import { printable } from '../diff/render/printable.ts'
import { renderChanges } from '../diff/render/render-changes.ts'
import { summarizeChanges } from '../diff/render/summarize-change.ts'
import { changesBetween } from './closest.ts'
import { explainPictures } from './explain-pictures.ts'
import type { Explanation } from './explain.ts'
import type { HandOver } from './hand-over.ts'
import { LEFT, labelled } from './labelled.ts'
import type { Session } from '../engine/session.ts'

/**
 * Says where a conversation left its recording, with the diff of the prompt that differed.
 *
 * @param saved false where the attempt failed, so that the old recording stays
 */
export function explainHandOver(
  session: Session,
  { incoming, recorded, at, of, stale }: HandOver,
  saved: boolean,
  color: boolean,
): Explanation {
  const { test } = session
  const pictures = recorded && explainPictures(session, recorded, incoming, color)
  const changes = recorded ? changesBetween(session, recorded, incoming) : []
  const place = recorded
    ? `left its recording at exchange ${at} of ${of}`
    : `went on after the ${countOf(of, 'exchange')} of its recording`
  const { method, url } = incoming.wire
  const lines = [
    labelled('request', printable(`${method} ${url}`), color),
    labelled('test', printable(test.id), color),
    labelled('cassette', `${test.cassette}${saved ? '' : LEFT}`, color),
    ...(recorded
      ? [labelled('left', `${recorded.exchange.id}, ${effectOf(stale.length, saved)}`, color)]
      : []),
  ]
  const diff = changes.length > 0 ? ['', renderChanges(changes, { color })] : []
  const headline = `${place}${changes.length > 0 ? `: ${summarizeChanges(changes)}` : ''}`
  return {
    headline,
    details: [
      `[vitest-cassette] The conversation ${headline}`,
      ...lines,
      ...diff,
      ...(pictures ? ['', pictures.text] : []),
    ].join('\n'),
    pictures: pictures?.files,
  }
}

function effectOf(stale: number, saved: boolean): string {
  const gone = countOf(stale, 'recorded exchange')
  return saved
    ? `${gone} replaced by the recording of this run`
    : `${gone} would have been replaced`
}
