import type { Change, Place } from './change.ts'
import { describePlace } from './describe-place.ts'
import { harmless, writeOut, writeOutControls } from './harmless.ts'
import { printPair } from './print-content.ts'
import { textOfSpans, wrapSpans } from './row.ts'

const MAX_COLUMNS = 100

/** Longer values are not quoted in a summary. */
const MAX_VALUE_LENGTH = 24

/** One plain line of at most 100 columns: `message 3 (user): text edited`. */
export function summarizeChange(change: Change): string {
  const line = `${describeSubject(change)}: ${describePredicate(change)}`
  const clean = writeOutControls(line.replaceAll('\n', writeOut))
  return harmless(textOfSpans(wrapSpans([{ text: clean }], MAX_COLUMNS, 1)[0]!))
}

function describeSubject(change: Change): string {
  const words = describePlace(change)
  if (change.place.area !== 'message') return words.join(' ')
  const [number, role, ...inside] = words
  return [`${number} (${role})`, ...inside].join(' ')
}

function describePredicate(change: Change): string {
  if (change.kind !== 'edited') return change.kind
  const [before, after] = printPair(change.before, change.after)
  const isShort = Math.max(before.length, after.length) <= MAX_VALUE_LENGTH
  if (isShort && !isMessageText(change.place)) return `${before} → ${after}`
  return isMessageText(change.place) ? 'text edited' : 'edited'
}

function isMessageText(place: Place): boolean {
  return place.area === 'message' && place.part?.type === 'text'
}
