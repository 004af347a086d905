import { summarizeChanges } from '../diff/describe-change.ts'
import { renderChanges } from '../diff/render-changes.ts'
import type { Incoming } from '../engine/incoming.ts'
import { promptFor } from '../engine/read-prompt.ts'
import type { Miss } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { findUnasked } from '../features/unasked.ts'
import { isUnaskedExchange } from '../engine/recorded.ts'
import { veilOf } from '../secrets/veil.ts'
import { countOf } from '../text/count-of.ts'
import { printable } from '../text/printable.ts'
import { isMcpAddress } from '../wire/address.ts'
import { headlineOfConflict, headlineOfSuggestion } from './advice/advise-volatile.ts'
import { advise, hintsOf } from './advice/advise.ts'
import { headlineOfCredential } from './advice/advise-credential.ts'
import {
  adviseOnFollowed,
  headlineOfFollowed,
  followedAddressOf,
} from './advice/explain-followed-address.ts'
import { explainPictures, type PictureFile } from './advice/explain-pictures.ts'
import { describeHashes, reasonOf } from './advice/explain-written.ts'
import { askedByText, showCommand } from './advice/show-command.ts'
import { tellMiss, type MissedRequest } from './advice/tell-miss.ts'
import { type Cause, causeOf } from './cause.ts'
import { type Closest, findClosest, inCassetteOfFile } from './closest.ts'
import { describeEnded, endedPrograms } from './advice/ended-programs.ts'
import { inColors, labelled, labelRequest, paint } from './labelled.ts'

/** The text of a failure: one line that says what happened, and the details. */
export interface Explanation {
  /** One plain line, complete without the rest: some reporters show nothing else. */
  headline: string
  /** Request, test, cassette → the closest exchange and the diff → the command that resolves it. */
  details: string
  /** Pictures that the details name, to be kept outside git. */
  pictures?: PictureFile[]
  /** The requests that nothing answers, as programs are told of them. */
  missed?: MissedRequest[]
  /** The programs of the test that failed: they may have ended before they asked. */
  ended?: string[]
  /** Set where other tests can fail for the same cause. */
  cause?: Cause
}

/** Explains a miss to the person who has to do something about it. */
export function explainMiss(session: Session, miss: Miss, color: boolean): Explanation {
  const shared = inCassetteOfFile(session, miss)
  if (shared) return explainMiss(...shared, color)
  const closest = findClosest(session, session.recorded, miss.incoming)
  const known = session.countAnswering(miss.incoming)
  const lead = followedAddressOf(session, miss)
  const shown = known === 0 && !lead ? closest : undefined
  const pictures = shown && explainPictures(session, shown.recorded, miss.incoming)
  const headline = headlineOf(session, miss, closest)
  const advice = lead ? adviseOnFollowed(session, lead) : advise(session, miss, closest)
  const cause = lead ? undefined : causeOf(session, miss, closest, { headline, advice })
  const sections = [
    describePlace(session, miss),
    shown ? describeClosest(shown, miss.incoming, color) : '',
    pictures?.text ?? '',
    miss.notKept ? `No answer is kept for it: ${miss.notKept}.` : '',
    describeUnreached(session),
    describeEnded(session),
    ...(lead ? [] : hintsOf(session, miss, closest)),
    advice,
  ]
  if (miss.reason !== 'closed') sections.push(describeOthers(session, miss))
  const told: Explanation = {
    headline,
    details: sections.filter((section) => section !== '').join('\n\n'),
    pictures: pictures?.files,
    missed: tellMisses(session, miss, shown),
    ended: endedPrograms(session),
    ...(cause ? { cause } : {}),
  }
  return inColors(told, color)
}

/** The text that the application gets in place of an answer. */
export function explainBriefly(session: Session, miss: Miss): string {
  return veilOf(session).learn(miss.incoming.wire).hide(tellBriefly(session, miss))
}

function tellBriefly(session: Session, miss: Miss): string {
  if (miss.reason === 'closed') {
    return (
      `The test "${session.test.id}" had ended when this request was made, so nothing answers it. ` +
      'Await the call in the test that starts it.'
    )
  }
  if (miss.reason === 'fault') return printable(session.fault!.message)
  if (miss.starter !== undefined)
    return (
      `${explainInOneLine(session, miss)}. The test "${session.test.id}" was running. The code that asks was started by ` +
      `"${miss.starter}", which had ended when this request was made. The failure shows the diff.`
    )
  return `${explainInOneLine(session, miss)}. The test "${session.test.id}" fails with the diff.`
}

/** The difference of a request from the closest exchange, without a full stop. */
export function explainInOneLine(session: Session, miss: Miss): string {
  const shared = inCassetteOfFile(session, miss)
  if (shared) return explainInOneLine(...shared)
  return headlineOf(session, miss, findClosest(session, session.recorded, miss.incoming))
}

function headlineOf(session: Session, miss: Miss, closest: Closest | undefined): string {
  const { incoming, conflict, credential, turn } = miss
  const asked = isMcpAddress(incoming.wire.url) ? 'The call of an MCP server' : 'The prompt'
  if (miss.reason === 'closed')
    return `A request was sent when its test had ended: "${printable(session.test.id)}"`
  const lead = followedAddressOf(session, miss)
  if (lead) return headlineOfFollowed(lead)
  if (conflict) return headlineOfConflict(conflict)
  if (credential) return headlineOfCredential(credential)
  if (turn) return `${asked} was asked out of turn: ${turn.exchange.id} comes before it`
  const known = session.countAnswering(incoming)
  if (known > 0) {
    return `${asked} was asked more often than recorded: ${known} of ${known} already played`
  }
  if (!session.cassette) return 'Nothing is recorded for this test'
  if (!closest) return 'The cassette of this test holds no exchange'
  const [first] = closest.changes
  if (!first && !closest.recorded.incoming) return reasonOf(closest.recorded.exchange, incoming)
  const { length } = session.recorded
  if (session.unused.length === 0 && !closest.suggestion && !closest.identity)
    return `${asked} is one more than recorded: ${length} of ${countOf(length, 'exchange')} already played`
  const { imported } = closest.recorded.incoming?.wire ?? {}
  if (isUnaskedExchange(closest.recorded))
    return findUnasked(session, incoming)
      ? `Nobody knows the prompt of ${closest.recorded.exchange.id}: it was imported from ${imported!.from}, which kept none`
      : `${asked} fits none of the exchanges that were imported without a prompt`
  const changed = first ? summarizeChanges(closest.changes) : 'a part that is not shown'
  if (closest.suggestion) return `${headlineOfSuggestion(closest.suggestion)}: ${changed}`
  if (closest.identity) return `${asked} changed only in which of its volatile values are equal`
  return `${asked} changed: ${changed}`
}

function describePlace({ test, recorded }: Session, miss: Miss): string {
  const { incoming, askedBy, starter, running = [] } = miss
  const prompt = promptFor(incoming)
  const played = recorded.filter((entry) => entry.played).length
  const asked = [prompt.provider, prompt.operation, prompt.model].filter(Boolean).join(' · ')
  const count =
    recorded.length === 0 ? 'not there' : `${played} of ${recorded.length} exchanges played`
  return [
    labelRequest(incoming, ` (${asked})`),
    ...(askedBy === undefined ? [] : [labelled('asked by', showCommand(askedBy))]),
    labelled('test', printable(test.id)),
    ...(starter === undefined ? [] : [labelled('queue', `started by ${printable(starter)}`)]),
    ...running.map(({ id }) => labelled('running', printable(id))),
    labelled('cassette', `${test.cassette} (${count})`),
  ].join('\n')
}

/** Names the servers that programs of the test could not reach, since their prompts can differ for that. */
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

function tellMisses(
  { misses }: Session,
  miss: Miss,
  closest: Closest | undefined,
): MissedRequest[] {
  const others = othersOf(misses, miss)
  return [tellMiss(miss, closest), ...others.slice(0, MAX_OTHERS).map((one) => tellMiss(one))]
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

function describeClosest(
  { recorded, changes }: Closest,
  incoming: Incoming,
  color: boolean,
): string {
  const distance = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} away`
  const state = recorded.played ? 'already played' : 'not yet played'
  const known = [recorded.exchange.id, ...(changes.length > 0 ? [distance] : []), state]
  const line = labelled('closest', known.join(', '))
  const hashes = recorded.incoming ? [] : describeHashes(recorded.exchange, incoming)
  const lines = [line, ...hashes.map(([label, text]) => labelled(label, text))].join('\n')
  return changes.length === 0 ? lines : `${lines}\n\n${renderChanges(changes, { color })}`
}
