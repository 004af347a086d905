import { describePlace } from '../../diff/describe-change.ts'
import { printContent, printPair } from '../../diff/print-content.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import type { Miss } from '../../engine/session-contract.ts'
import { withoutSecrets } from '../../secrets/without-secrets.ts'
import { differingParts } from '../../text/common-ends.ts'
import type { Closest } from '../closest.ts'
import { showCommand } from './show-command.ts'

/** A request that nothing answers, as programs are told of it. */
export interface MissedRequest {
  url: string
  /** The command line of the program that asked; absent where the test itself did. */
  askedBy?: string
  /** The exchange that is closest, where one can be compared. */
  exchange?: string
  /** What differs from it. */
  changes?: Array<{ place: string; before?: string; after?: string }>
}

/** The most changes that are told of a request. */
const MAX_CHANGES = 10

/** How much of a text is told, in UTF-16 units. */
const MAX_TEXT = 200

/** How much of a text is searched for keys, in UTF-16 units: more than what is told, and than a key has. */
const MAX_READ = 100_000

/** Tells programs of a request that nothing answers. */
export function tellMiss({ incoming, askedBy }: Miss, closest?: Closest): MissedRequest {
  const changes = closest?.changes.slice(0, MAX_CHANGES).map(tellChange)
  return {
    url: incoming.wire.url,
    ...(askedBy === undefined ? {} : { askedBy: showCommand(askedBy) }),
    ...(closest ? { exchange: closest.recorded.exchange.id, changes } : {}),
  }
}

function tellChange(change: PromptChange): { place: string; before?: string; after?: string } {
  const place = describePlace(change).join(' ')
  if (change.kind === 'removed') return { place, before: shorten(printContent(change.before)) }
  if (change.kind !== 'edited') return { place, after: shorten(printContent(change.after)) }
  // Before the parts are found that differ: a part of a key looks like none.
  const pair = printPair(change.before, change.after)
  const [from, to] = pair.every(isShort) ? [safe(pair[0]), safe(pair[1])] : pair
  const [before, after] = differingParts(from, to, (character) => /\S/.test(character))
  return { place, before: shorten(before), after: shorten(after) }
}

function shorten(text: string): string {
  const told = safe(text)
  return told.length > MAX_TEXT ? `${told.slice(0, MAX_TEXT - 1)}…` : told
}

/** The beginning of a text, without what looks like a key. */
function safe(text: string): string {
  return withoutSecrets(isShort(text) ? text : text.slice(0, MAX_READ))
}

function isShort({ length }: string): boolean {
  return length <= MAX_READ
}
