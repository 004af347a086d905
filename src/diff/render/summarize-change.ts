import type { PromptChange, PromptPlace } from '../compare/prompt-change.ts'
import { commonEnd, commonStart } from '../compare/common-ends.ts'
import { countOf } from './count-of.ts'
import { describePlace } from './describe-place.ts'
import { printable, writeOut, writeOutUnseen } from './printable.ts'
import { printPair } from './print-content.ts'
import { describeRun, runsOf } from './runs.ts'
import { textOfSpans, wrapSpans } from './row.ts'

const MAX_COLUMNS = 100

/** Longer values are not quoted in a summary. */
const MAX_VALUE_LENGTH = 24

/** Summarizes changes in one plain line: the first one, and the number of the others. */
export function summarizeChanges(changes: readonly PromptChange[]): string {
  const [first, ...others] = runsOf(changes)
  if (!first) return ''
  const described = describeRun(first)
  const line = described ? described.join(': ') : summarizeChange(first.changes[0]!)
  const count = others.reduce((sum, run) => sum + run.changes.length, 0)
  return count === 0 ? line : `${line}, and ${countOf(count, 'more change')}`
}

/** One plain line of at most 100 columns: `message 3 (user): text edited`. */
export function summarizeChange(change: PromptChange): string {
  const line = `${describeSubject(change)}: ${describePredicate(change)}`
  const clean = writeOutUnseen(line.replaceAll('\n', writeOut))
  return printable(textOfSpans(wrapSpans([{ text: clean }], MAX_COLUMNS, 1)[0]!))
}

function describeSubject(change: PromptChange): string {
  const words = describePlace(change)
  if (change.place.area !== 'message') return words.join(' ')
  const [number, role, ...inside] = words
  return [`${number} (${role})`, ...inside].join(' ')
}

function describePredicate(change: PromptChange): string {
  if (change.kind !== 'edited') return change.kind
  const [before, after] = printPair(change.before, change.after)
  const isShort = Math.max(before.length, after.length) <= MAX_VALUE_LENGTH
  if (isShort && !isMessageText(change.place)) return `${before} → ${after}`
  return isMessageText(change.place) ? `text edited${describeWords(change)}` : 'edited'
}

/** Quotes the words that differ between the common beginning and end of two texts, if they are short enough. */
function describeWords({ before, after }: PromptChange & { kind: 'edited' }): string {
  if (before.type !== 'text' || after.type !== 'text') return ''
  const [one, other] = [before.text.split(/(\s+)/), after.text.split(/(\s+)/)]
  const start = commonStart(one, other)
  const end = commonEnd(one, other, start)
  const words = [one, other].map((text) => text.slice(start, text.length - end).join(''))
  const unfit = words.some((text) => text.length > MAX_VALUE_LENGTH || text === '')
  return unfit ? '' : ` (${words.map((text) => JSON.stringify(text)).join(' → ')})`
}

function isMessageText(place: PromptPlace): boolean {
  return place.area === 'message' && place.part?.type === 'text' && place.path === ''
}
