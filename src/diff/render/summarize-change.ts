import type { PromptChange, PromptPlace } from '../compare/prompt-change.ts'
import { commonStart } from '../compare/common-ends.ts'
import { alignSequences } from '../compare/align.ts'
import { PLACEHOLDER, rankOf, withoutMadeUp } from '../compare/rank-changes.ts'
import { countOf } from './count-of.ts'
import { describePlace } from './describe-place.ts'
import { printable, writeOut, writeOutUnseen } from './printable.ts'
import { printContent, printPair } from './print-content.ts'
import { describeRun, runsOf, type Run } from './runs.ts'
import { textOfSpans, wrapSpans } from './row.ts'

const MAX_COLUMNS = 100

/** Longer values are not quoted in a summary. */
const MAX_VALUE_LENGTH = 24

/** Fewer words and blanks between two edits do not part them. */
const MIN_APART = 4

/** Summarizes changes in one plain line: the one that a reader wants to know first, and the number of the others. */
export function summarizeChanges(changes: readonly PromptChange[]): string {
  const runs = runsOf(changes)
  const lead = leadOf(runs)
  if (!lead) return ''
  const described = describeRun(lead)
  const line = described ? described.join(': ') : summarizeChange(lead.changes[0]!)
  const count = changes.length - lead.changes.length
  return count === 0 ? line : `${line}, and ${countOf(count, 'more change')}`
}

/** The first run of the best rank; of several with words of people, the newest message. */
function leadOf(runs: readonly Run[]): Run | undefined {
  const ranks = runs.map(({ changes }) => Math.min(...changes.map(rankOf)))
  const best = Math.min(...ranks)
  const found = runs.filter((_, index) => ranks[index] === best)
  const isSaid = ({ changes }: Run): boolean => changes[0]!.place.area === 'message'
  return best === 0 ? (found.findLast(isSaid) ?? found[0]) : found[0]
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
  const { kind, place } = change
  const isText = isMessageText(place)
  if (kind === 'moved') return kind
  if (kind !== 'edited') {
    const text = isText ? printContent(kind === 'added' ? change.after : change.before) : ''
    return text === '' ? kind : `${kind} (${quote(text)})`
  }
  const [before, after] = printPair(change.before, change.after)
  if (isText) return `text edited${describeWords(before, after)}`
  const isShort = Math.max(before.length, after.length) <= MAX_VALUE_LENGTH
  if (isShort) return `${before} → ${after}`
  return `edited${isDescription(place) ? describeWords(before, after) : ''}`
}

/** Quotes the first words that differ and that a person wrote; where there are none, the first that differ. */
function describeWords(before: string, after: string): string {
  // A date is one value, of which a word may differ alone.
  const said = [withoutMadeUp(before), withoutMadeUp(after)] as const
  const [one, other] = (said[0] === said[1] ? [before, after] : said).map((text) =>
    text.split(/(\s+)/),
  ) as [string[], string[]]
  let edits: Edit[] = []
  for (const { same, recorded, received } of alignSequences(one, other)) {
    if (same) continue
    const last = edits.at(-1)
    // Words that a few equal ones keep apart read as one edit.
    const goesOn = last && recorded[0] - last.recorded[1] < MIN_APART
    const [from, to] = goesOn ? [last.recorded[0], last.received[0]] : [recorded[0], received[0]]
    const edit: Edit = { recorded: [from, recorded[1]], received: [to, received[1]] }
    edits = goesOn ? edits.with(-1, edit) : [...edits, edit]
  }
  const words = edits.map(({ recorded, received }) => [
    one.slice(...recorded).join(''),
    other.slice(...received).join(''),
  ])
  const [old, current] = words.find((both) => both.join('').trim() !== '') ?? words[0] ?? ['', '']
  if (old!.trim() === '') return ` (added ${quote(current!)})`
  if (current!.trim() === '') return ` (removed ${quote(old!)})`
  const start = quote(old!) === quote(current!) ? commonStart(old!, current!) : 0
  return ` (${quote(old!.slice(start))} → ${quote(current!.slice(start))})`
}

/** Words that differ. */
interface Edit {
  recorded: [from: number, to: number]
  received: [from: number, to: number]
}

/** The beginning of a text on one line, in quotes. */
function quote(text: string): string {
  const line = text.replaceAll(PLACEHOLDER, '…').trim().replace(/\s+/g, ' ') || text
  return JSON.stringify(
    line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 1)}…` : line,
  )
}

/** A text of a message, or a whole message. */
function isMessageText(place: PromptPlace): boolean {
  return place.area === 'message' && (place.part?.type ?? 'text') === 'text' && place.path === ''
}

function isDescription({ area, path }: PromptPlace): boolean {
  return area === 'tool' && /(?:^|\.)description$/.test(path)
}
