import { renderChanges } from '../../diff/render-changes.ts'
import { promptFor } from '../../engine/read-prompt.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import { countOf } from '../../text/count-of.ts'
import { printable } from '../../text/printable.ts'
import type { Closest } from '../closest.ts'
import type { MissFacts } from '../facts/miss-facts.ts'
import { readMissed, type MissedRequest } from '../facts/missed-request.ts'
import { askedByText, showCommand } from '../facts/show-command.ts'
import type { Failure } from '../failure.ts'
import { labelled, labelRequest, paint } from '../labelled.ts'
import { describeEnded, endedPrograms } from './ended-programs.ts'
import { hintsFor } from './hints.ts'
import { explainPictures } from './pictures.ts'
import { describeHashes } from './written.ts'

/** The sections of a miss before its advice: the request, test and cassette, the closest exchange, and the diff. */
export function describeMiss(facts: MissFacts, hasHints: boolean): string[] {
  const { session, miss } = facts
  const shown = shownFor(facts)
  return [
    describePlace(session, miss),
    shown ? describeClosest(shown, facts) : '',
    picturesOf(facts)?.text ?? '',
    miss.notKept ? `No answer is kept for it: ${miss.notKept}.` : '',
    describeUnreached(session),
    describeEnded(session),
    ...(hasHints ? hintsFor(facts) : []),
  ]
}

/** What a miss has besides its text. */
export function moreOfMiss(
  facts: MissFacts,
): Pick<Failure, 'pictures' | 'missed' | 'ended' | 'callSite'> {
  const { session, miss } = facts
  return {
    pictures: picturesOf(facts)?.files,
    missed: readMisses(session, miss, shownFor(facts)),
    ended: endedPrograms(session),
    callSite: miss.callSite,
  }
}

/** The other requests of the test that nothing answered. */
export function notesOfMiss({ session, miss }: MissFacts): string[] {
  return miss.reason === 'closed' ? [] : [describeOthers(session, miss)]
}

/** The exchange that is shown: none where the request is one that is recorded, or where an answer led to it. */
function shownFor({ answering, followed, closest }: MissFacts): Closest | undefined {
  return answering === 0 && !followed ? closest : undefined
}

function picturesOf(facts: MissFacts): ReturnType<typeof explainPictures> {
  const shown = shownFor(facts)
  return shown && explainPictures(facts.session, shown.recorded, facts.incoming)
}

function describePlace({ test, recorded, samples }: Session, miss: Miss): string {
  const { incoming, askedBy, starter, running = [] } = miss
  const prompt = promptFor(incoming)
  const played = recorded.filter((entry) => entry.played).length
  const asked = [prompt.provider, prompt.operation, prompt.model].filter(Boolean).join(' · ')
  const count =
    recorded.length > 0 ? ` (${played} of ${recorded.length} exchanges played)` : ' (not there)'
  return [
    labelRequest(incoming, ` (${asked})`),
    ...(askedBy === undefined ? [] : [labelled('asked by', showCommand(askedBy))]),
    labelled('test', printable(test.id)),
    ...(starter === undefined ? [] : [labelled('queue', `started by ${printable(starter)}`)]),
    ...running.map(({ id }) => labelled('running', printable(id))),
    labelled('cassette', test.cassette + (samples ? '' : count)),
  ].join('\n')
}

/** Names the servers that programs of the test could not reach: that can change their prompts. */
function describeUnreached({ unreached = new Map() }: Session): string {
  return Array.from(
    unreached,
    ([host, command]) =>
      `In this run ${showCommand(command)} also asked ${host}: 502, not recorded. If it belongs to the test, start it, or record it by hosts: ['${host}'].`,
  ).join('\n')
}

/** How many other requests a failure names. */
const MAX_OTHERS = 3

function othersOf(misses: readonly Miss[], { incoming }: Miss): Miss[] {
  return misses.filter((one) => one.incoming !== incoming)
}

function readMisses(
  { misses }: Session,
  miss: Miss,
  closest: Closest | undefined,
): MissedRequest[] {
  const others = othersOf(misses, miss)
  return [readMissed(miss, closest), ...others.slice(0, MAX_OTHERS).map((one) => readMissed(one))]
}

/** Names the other requests of a test that nothing answered; empty where there are none. */
function describeOthers({ misses }: Session, miss: Miss): string {
  const others = othersOf(misses, miss)
  if (others.length === 0) return ''
  const named = others
    .slice(0, MAX_OTHERS)
    .map(
      ({ incoming: { wire }, askedBy }) =>
        `  ${printable(`${wire.method} ${wire.url}`)}${askedByText(askedBy)}`,
    )
  const left = others.length - named.length
  return paint.dim(
    [
      `${countOf(others.length, 'more request')} of this test went unanswered after it:`,
      ...named,
      ...(left > 0 ? [`  and ${left} more`] : []),
    ].join('\n'),
  )
}

function describeClosest({ recorded, changes }: Closest, { incoming, color }: MissFacts): string {
  const distance = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} away`
  const state = recorded.played ? 'already played' : 'not yet played'
  const known = [recorded.exchange.id, ...(changes.length > 0 ? [distance] : []), state]
  const line = labelled('closest', known.join(', '))
  const hashes = recorded.incoming ? [] : describeHashes(recorded.exchange, incoming)
  const lines = [line, ...hashes.map(([label, text]) => labelled(label, text))].join('\n')
  return changes.length === 0 ? lines : `${lines}\n\n${renderChanges(changes, { color })}`
}
