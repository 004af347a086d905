import pc from 'picocolors'
import { printable } from '../diff/render/printable.ts'
import { suggestPart } from '../engine/rare/suggest.ts'
import { comparableTo, readIncoming } from '../engine/incoming.ts'
import { STARTED_HERE, type Miss } from '../engine/miss.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Session } from '../engine/session.ts'
import { unsetVariables } from '../secrets/unset-variables.ts'
import { adviseOnMadeUp } from './advise-made-up.ts'
import {
  adviseOnIdentity,
  adviseOnParams,
  adviseOnPart,
  adviseOnSuggestion,
} from './advise-volatile.ts'
import type { Closest } from './closest.ts'
import { describeExchange } from './describe-exchange.ts'
import { adviseOnEqualPrompts } from './equal-prompts.ts'
import { adviseOnBaseUrl, explainAddress } from './explain-address.ts'
import { adviseOnOlder, explainEdited } from './explain-edited.ts'
import { adviseWriter } from './explain-written.ts'
import { labelled } from './labelled.ts'
import { renderWays, waysOut } from './ways-out.ts'

/** The commands that resolve a miss. */
export function advise(
  session: Session,
  miss: Miss,
  closest: Closest | undefined,
  color: boolean,
): string {
  const { bold } = pc.createColors(color)
  const record = `\n  ${bold(session.test.recordCommand)}`
  if (miss.reason === 'closed')
    return (
      'The verdict on a test cannot depend on a request that is sent after the test, so it is not answered.\n' +
      `Await it in the test that starts it, and record that test again:${record}` +
      adviseOnQueue(miss, bold)
    )
  if (miss.conflict) {
    const { before, now } = miss.conflict
    return `${adviseOnIdentity([before.rule, now.rule], isOfTest(session, miss), color)}\nIf the change is meant, record this test again:${record}`
  }
  if (miss.turn) return adviseTurn(miss.turn, record, color)
  const isRepeat = session.countAnswering(miss.incoming) > 0
  if (closest && !closest.recorded.incoming) {
    const { exchange } = closest.recorded
    const advice = adviseWriter(exchange, miss.incoming, isRepeat, session.test.cassette)
    return `${advice}\nOr record the test in its place:${record}`
  }
  if (isRepeat) return `If the test may ask once more, record it again:${record}`
  if (!closest) return `Record this test, and commit its cassette:${record}`
  return `If the change is meant, ${renderWays(waysOut(session, miss), color)}`
}

/** A queue that one test has started can also ask for another one. */
function adviseOnQueue({ running = [] }: Miss, bold: (text: string) => string): string {
  return running
    .map(
      ({ id, recordCommand }) =>
        `\nIf a queue or a loop asks for "${printable(id)}", which was running, record that test:` +
        `\n  ${bold(recordCommand)}`,
    )
    .join('')
}

function adviseTurn(turn: Recorded, record: string, color: boolean): string {
  const next = labelled('next', describeExchange(turn), color)
  return `${next}\n\nIf the new order is meant, record this test again:${record}`
}

/** Hints for a miss: values to declare, variables to set, a changed address. */
export function hintsOf(
  session: Session,
  miss: Miss,
  closest: Closest | undefined,
  color: boolean,
): string[] {
  const isPlain = miss.reason !== 'closed' && !miss.conflict && !miss.turn
  if (!isPlain || (closest && !closest.recorded.incoming)) return []
  return [
    ...volatileHintsOf(session, miss, closest, color),
    explainEdited(session, closest?.recorded),
    adviseOnOlder(session.test.cassette, closest?.recorded, miss.incoming),
    adviseOnAddress(session, closest, miss),
    adviseOnUnset(closest, miss),
    adviseOnEqualPrompts(session.recorded, closest?.recorded),
  ].filter((hint) => hint !== '')
}

function volatileHintsOf(
  session: Session,
  miss: Miss,
  closest: Closest | undefined,
  color: boolean,
): string[] {
  const { incoming } = miss
  if (closest?.suggestion)
    return [adviseOnSuggestion(closest.suggestion, session, isOfTest(session, miss), color)]
  const fresh = session.params.newIn(incoming.wire, session.cassette)
  if (fresh.length > 0) return [adviseOnParams(fresh)]
  const rules = incoming.volatile.map(({ rule }) => rule)
  if (closest?.identity) return [adviseOnIdentity(rules, isOfTest(session, miss), color)]
  const known = closest?.recorded.incoming
  const part = known && suggestPart(known, comparableTo(known, incoming), session.config.volatile)
  if (part) return [adviseOnPart(part, session, color)]
  return closest ? [adviseOnMadeUp(closest.changes, session, color)] : []
}

/** Whether the test itself made the request. It can stop its own clock, but not that of a program. */
function isOfTest({ test }: Session, { callSite }: Miss): boolean {
  return test.optionsOf === undefined && callSite?.message !== STARTED_HERE
}

function adviseOnAddress(
  { config }: Session,
  closest: Closest | undefined,
  { incoming }: Miss,
): string {
  const recorded = closest?.recorded.incoming
  const text = recorded ? explainAddress(recorded.wire, incoming.wire) : ''
  if (!recorded || text === '') return ''
  const { wire, before } = incoming
  const there = readIncoming(
    { ...wire, url: recorded.wire.url },
    { volatile: config.volatile, before },
  )
  const isAll = comparableTo(recorded, there).hash === recorded.hash
  return isAll ? `${text}\n${adviseOnBaseUrl(recorded.wire, wire)}` : text
}

function adviseOnUnset(closest: Closest | undefined, { incoming }: Miss): string {
  const recorded = closest?.recorded.incoming
  const names = recorded ? unsetVariables(recorded.wire, incoming.wire) : []
  if (names.length === 0) return ''
  return `Not set here, though the recorded prompt held its value: ${names.join(', ')}. Any value does.`
}
