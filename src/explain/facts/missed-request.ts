import { describePlace } from '../../diff/describe-change.ts'
import { printContent, printPair } from '../../diff/print-content.ts'
import type { SafeChange } from '../../diff/prompt-change.ts'
import type { Miss } from '../../engine/session-contract.ts'
import { differingParts } from '../../text/common-ends.ts'
import type { Closest } from '../closest.ts'
import { showCommand } from './show-command.ts'

/** A request that nothing answers, as programs read it. */
export interface MissedRequest {
  url: string
  /** The command line of the program that asked; absent where the test itself did. */
  askedBy?: string
  /** The exchange that is closest, where one can be compared. */
  exchange?: string
  /** What differs from it. */
  changes?: Array<{ place: string; before?: string; after?: string }>
}

/** The most changes of a request. */
const MAX_CHANGES = 10

/** The longest text, in UTF-16 units. */
const MAX_TEXT = 200

/** A request that nothing answers, as programs read it. */
export function readMissed({ incoming, askedBy }: Miss, closest?: Closest): MissedRequest {
  const changes = closest?.changes.slice(0, MAX_CHANGES).map(readChange)
  return {
    url: incoming.wire.url,
    ...(askedBy === undefined ? {} : { askedBy: showCommand(askedBy) }),
    ...(closest ? { exchange: closest.recorded.exchange.id, changes } : {}),
  }
}

function readChange(change: SafeChange): { place: string; before?: string; after?: string } {
  const place = describePlace(change).join(' ')
  if (change.kind === 'removed') return { place, before: shorten(printContent(change.before)) }
  if (change.kind !== 'edited') return { place, after: shorten(printContent(change.after)) }
  const pair = printPair(change.before, change.after)
  const [before, after] = differingParts(...pair, (character) => /\S/.test(character))
  return { place, before: shorten(before), after: shorten(after) }
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}
