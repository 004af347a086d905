import { commonStart } from '../text/common-ends.ts'
import { rememberFor } from '../remember.ts'
import { countOf } from '../text/count-of.ts'
import { printable, writeOut, writeOutUnseen } from '../text/printable.ts'
import { alignSequences } from './align.ts'
import { printContent, printPair } from './print-content.ts'
import type {
  MessagePlace,
  PartPlace,
  PromptChange,
  PromptPlace,
  SafeChange,
} from './prompt-change.ts'
import { differingLines, MADE_UP_MARK, rankOf, withoutMadeUp } from './rank-changes.ts'
import { textOfSpans, wrapSpans } from './row.ts'

const MAX_COLUMNS = 100

/** Longer values are not quoted in a summary. */
const MAX_VALUE_LENGTH = 24

/** Fewer words and blanks between two edits do not part them. */
const MIN_APART = 4

/** Summarizes changes in one plain line: the one that a reader wants to know first, and the number of the others. */
export const summarizeChanges: (changes: readonly SafeChange[]) => string = rememberFor(summarize)

function summarize(changes: readonly SafeChange[]): string {
  const runs = runsOf(changes)
  const lead = followedAddressOf(runs)
  if (!lead) return ''
  const described = describeRun(lead)
  const line = described ? described.join(': ') : onOneLine(lead.changes[0]!)
  const count = changes.length - lead.changes.length
  return count === 0 ? line : `${line}, and ${countOf(count, 'more change')}`
}

/** The first run of the best rank; of several with words of people, the newest message. */
function followedAddressOf(runs: readonly ChangeRun[]): ChangeRun | undefined {
  const ranks = runs.map(({ changes }) => Math.min(...changes.map(rankOf)))
  const best = Math.min(...ranks)
  const found = runs.filter((_, index) => ranks[index] === best)
  const isSaid = ({ changes }: ChangeRun): boolean => changes[0]!.place.area === 'message'
  return best === 0 ? (found.findLast(isSaid) ?? found[0]) : found[0]
}

/** One plain line of at most 100 columns: `message 3 (user): text edited`. */
export function summarizeChange(change: SafeChange): string {
  return onOneLine(change)
}

function onOneLine(change: PromptChange): string {
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

/** Words and the blanks between them. Without a bound, megabytes of one overflow the stack of the expression. */
const WORDS = /\s{1,1000}|\S{1,1000}/g

/** Quotes the first words that differ and that a person wrote; where there are none, the first that differ. */
function describeWords(before: string, after: string): string {
  const lines = differingLines(before, after)
  // A date is one value, of which a word may differ alone.
  const said = [withoutMadeUp(lines[0]), withoutMadeUp(lines[1])] as const
  const [was, is] = said[0] === said[1] ? lines : said
  const one: string[] = was.match(WORDS) ?? []
  const other: string[] = is.match(WORDS) ?? []
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
  const line = text.replaceAll(MADE_UP_MARK, '…').trim().replace(/\s+/g, ' ') || text
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

const PART_NAMES: Record<PartPlace['type'], string> = {
  text: '',
  reasoning: 'reasoning',
  tool_call: 'call',
  tool_call_response: 'result',
  blob: 'attachment',
  uri: 'link',
  other: '',
}

/** The place of a change, from the outside in: `message 13`, `user, was 12`, `part 2`, `arguments.id`. */
export function describePlace(change: PromptChange): string[] {
  const { place } = change
  if (place.area === 'field') return [place.path || 'request']
  if (place.area === 'tool') return compact([`tool ${JSON.stringify(place.tool)}`, place.path])
  return compact([
    describeNumber(place),
    describeRole(place) || 'no role',
    place.part && describePart(place.part),
    place.path,
  ])
}

/** True when a whole message, part or tool was added, removed or moved. */
export function isWhole(change: PromptChange): boolean {
  return change.kind !== 'edited' && change.place.area !== 'field' && change.place.path === ''
}

function describeNumber({ recorded, received }: MessagePlace): string {
  if (received === undefined) return `recorded message ${recorded}`
  return `message ${received}`
}

function describeRole({ role, recorded, received }: MessagePlace): string {
  const isRenumbered = recorded !== undefined && received !== undefined && recorded !== received
  return isRenumbered ? `${role}, was ${recorded}` : role
}

function describePart({ type, number, count, tool }: PartPlace): string {
  const position = count > 1 ? `part ${number}` : ''
  const name = tool === undefined ? PART_NAMES[type] : `call ${tool}`
  return compact([position, name]).join(' ')
}

function compact(words: Array<string | undefined>): string[] {
  return words.filter((word): word is string => word !== undefined && word !== '')
}

/** Changes that a reader takes as one. */
export type ChangeRun =
  | { kind: 'one'; changes: [PromptChange] }
  /** Messages that stood one after the other, and are all gone. */
  | { kind: 'removed'; changes: PromptChange[]; from: number; to: number }
  /** Two messages, each in the place of the other. */
  | { kind: 'swapped'; changes: PromptChange[]; from: number; to: number }

/** Fewer are read as fast one by one. */
const MIN_REMOVED = 3

/** The changes in their order, those together that are one to a reader. */
export function runsOf(changes: readonly PromptChange[]): ChangeRun[] {
  const runs: ChangeRun[] = []
  let at = 0
  while (at < changes.length) {
    const run = removedFrom(changes, at) ?? swappedAt(changes, at)
    runs.push(run ?? { kind: 'one', changes: [changes[at]!] })
    at += run?.changes.length ?? 1
  }
  return runs
}

/** Describes a run: `messages 2–57: removed (56)`; `undefined` for a change by itself. */
export function describeRun(run: ChangeRun): [subject: string, predicate: string] | undefined {
  if (run.kind === 'removed')
    return [`recorded messages ${run.from}–${run.to}`, `removed (${run.changes.length})`]
  return run.kind === 'swapped' ? [`messages ${run.from} and ${run.to}`, 'swapped'] : undefined
}

function removedFrom(changes: readonly PromptChange[], start: number): ChangeRun | undefined {
  const from = removedNumber(changes[start])
  if (from === undefined) return undefined
  let end = start + 1
  while (removedNumber(changes[end]) === from + end - start) end++
  const run = changes.slice(start, end)
  return run.length < MIN_REMOVED
    ? undefined
    : { kind: 'removed', changes: run, from, to: from + run.length - 1 }
}

function removedNumber(change: PromptChange | undefined): number | undefined {
  if (change?.kind !== 'removed' || change.place.area !== 'message') return undefined
  const { path, part, recorded } = change.place
  return path === '' && part === undefined ? recorded : undefined
}

/** Finds two messages that swapped places, or one that moved past its neighbour. */
function swappedAt(changes: readonly PromptChange[], at: number): ChangeRun | undefined {
  const [one, other] = [movedPlace(changes[at]), movedPlace(changes[at + 1])]
  // If messages were added or removed, the numbers after them do not show an order.
  if (!one || changes.some(isAddedOrRemoved)) return undefined
  const [from, to] = [one.recorded!, one.received!].toSorted((low, high) => low - high)
  if (other && other.recorded === one.received && other.received === one.recorded)
    return { kind: 'swapped', changes: changes.slice(at, at + 2), from: from!, to: to! }
  const isAlone = changes.filter(movedPlace).length === 1
  return isAlone && to! - from! === 1
    ? { kind: 'swapped', changes: changes.slice(at, at + 1), from: from!, to: to! }
    : undefined
}

function movedPlace(change: PromptChange | undefined): MessagePlace | undefined {
  return change?.kind === 'moved' ? change.place : undefined
}

function isAddedOrRemoved({ kind, place }: PromptChange): boolean {
  return kind !== 'edited' && kind !== 'moved' && place.area === 'message' && place.path === ''
}
