import { createColors } from 'picocolors'
import { countOf } from '../text/count-of.ts'
import { writeOut, writeOutUnseen } from '../text/printable.ts'
import { alignSequences } from './align.ts'
import { describePlace, describeRun, isWhole, type ChangeRun, runsOf } from './describe-change.ts'
import { printContent, printPair } from './print-content.ts'
import type { Content, MessagePlace, PromptChange, SafeChange } from './prompt-change.ts'
import { isDerived } from './rank-changes.ts'
import { replacementRows, sideRows } from './render/replacement-rows.ts'
import { revealOddBlanks } from './reveal.ts'
import { paintRow, PREFIX_WIDTH, type Room, type Row, wrapSpans } from './row.ts'

/** Options for rendering changes in a terminal. */
export interface RenderOptions {
  color: boolean
  /** Columns, 20 at least. @default 100 */
  width?: number
  /** @default 60 */
  maxLines?: number
}

const MIN_WIDTH = 20

/** Rows that one change may take, however much room there is. */
const MAX_ROWS_OF_EDIT = 40
const MAX_ROWS_OF_WHOLE = 14

/** Rows that a change gets before others are left out for want of room. */
const MIN_ROWS = 6

/** The changes as text for a terminal, bounded in width and length however long the prompts are. */
export function renderChanges(changes: readonly SafeChange[], options: RenderOptions): string {
  const width = Math.max(MIN_WIDTH, options.width ?? 100)
  const maxLines = Math.max(1, options.maxLines ?? 60)
  const room = { width: width - PREFIX_WIDTH, brackets: !options.color }
  const rows: Row[] = []

  const runs = derivedLast(runsOf(changes))
  for (const [index, run] of runs.entries()) {
    const others = runs.length - index - 1
    // The last line is kept for the changes that do not fit.
    const left = maxLines - rows.length - (others > 0 ? 1 : 0)
    const share = Math.max(MIN_ROWS, Math.floor(left / (others + 1)))
    const found = rowsOfRun(run, { ...room, rows: Math.min(share, left) })
    if (found.length <= left) {
      rows.push(...found)
      continue
    }
    const first = index === 0 ? found.slice(0, left) : []
    const rest = runs.slice(first.length > 0 ? 1 : index).flatMap((one) => one.changes)
    rows.push(...first, ...rowsOfRest(rest, index))
    break
  }

  return paintRows(rows, options.color, width)
}

/** The runs in their order, those of ids, digests and dates at the end: they tell least, and room may end before. */
function derivedLast(runs: readonly ChangeRun[]): ChangeRun[] {
  const isLast = ({ changes }: ChangeRun): boolean => changes.every(isDerived)
  return [...runs.filter((run) => !isLast(run)), ...runs.filter(isLast)]
}

function rowsOfRun(run: ChangeRun, room: Room): Row[] {
  const described = describeRun(run)
  if (!described) return rowsOf(run.changes[0]!, room)
  const places = run.changes.map(({ place }) => place as MessagePlace)
  const heading: Row = { kind: 'heading', spans: [{ text: described.join(' · ') }] }
  return [
    ...foldRows(places[0]!.unchangedBefore),
    heading,
    ...(run.kind === 'swapped' ? run.changes.flatMap((change) => bodyRows(change, room)) : []),
    ...foldRows(places.at(-1)!.unchangedAfter),
  ]
}

function rowsOf(change: PromptChange, room: Room): Row[] {
  const { place } = change
  const [before, after] =
    place.area === 'message' ? [place.unchangedBefore, place.unchangedAfter] : [0, 0]
  const folds = (before > 0 ? 1 : 0) + (after > 0 ? 1 : 0)
  const most = isWhole(change) ? MAX_ROWS_OF_WHOLE : MAX_ROWS_OF_EDIT
  const rows = Math.max(2, Math.min(room.rows - folds - 1, most))
  return [
    ...foldRows(before),
    headingRow(change),
    ...bodyRows(change, { ...room, rows }),
    ...foldRows(after),
  ]
}

function bodyRows(change: PromptChange, room: Room): Row[] {
  if (change.kind !== 'moved') return contentRows(change, room)
  // A moved message is only named: the reader knows it, or finds it in the prompt.
  return contentRows(change, { ...room, rows: 2 }).map((row) => ({ ...row, kind: 'context' }))
}

/** The rows of the content before and after, or of the one side that exists. */
export function contentRows(
  { before, after }: { before?: Content; after?: Content },
  room: Room,
): Row[] {
  if (before && after) return textRows(...printPair(before, after), room)
  if (before) return sideRows('removed', printContent(before).split('\n'), room)
  return after ? sideRows('added', printContent(after).split('\n'), room) : []
}

/** Rows as text for a terminal. */
export function paintRows(rows: readonly Row[], color: boolean, width: number): string {
  const colors = createColors(color)
  return rows.map((row) => paintRow(row, width, colors)).join('\n')
}

function headingRow(change: PromptChange): Row {
  const words = describePlace(change)
  if (isWhole(change)) words.push(change.kind)
  return { kind: 'heading', spans: [{ text: cleanLabel(words.join(' · ')) }] }
}

function foldRows(count: number): Row[] {
  if (count === 0) return []
  return [{ kind: 'fold', spans: [{ text: `${countOf(count, 'message')} unchanged` }] }]
}

function rowsOfRest(changes: PromptChange[], shown: number): Row[] {
  if (changes.length === 0) return []
  const names = new Set(changes.slice(0, 20).map((change) => describePlace(change)[0]!))
  const count = countOf(changes.length, shown > 0 ? 'more change' : 'change')
  const text = cleanLabel(`${shown > 0 ? '… and' : '…'} ${count}: ${[...names].join(', ')}`)
  return [{ kind: 'fold', spans: [{ text }] }]
}

function cleanLabel(text: string): string {
  return revealOddBlanks(writeOutUnseen(text.replaceAll('\n', writeOut)))
}

/** With fewer rows than this, there is no room for context. */
const MIN_ROWS_FOR_CONTEXT = 8

/** The rows that show how a text changed: changed lines with one line of context around them. */
function textRows(before: string, after: string, room: Room): Row[] {
  const [old, current] = [before.split('\n'), after.split('\n')]
  const stretches = alignSequences(old, current)
  const rows: Row[] = []
  let changesLeft = stretches.filter((stretch) => !stretch.same).length

  for (const [index, stretch] of stretches.entries()) {
    // The last row is kept for the number of passages that do not fit.
    const left = room.rows - rows.length - (changesLeft > 1 ? 1 : 0)
    if (stretch.same) {
      if (room.rows < MIN_ROWS_FOR_CONTEXT) continue
      const lines = old.slice(...stretch.recorded)
      // The empty text after the last line break is no line.
      if (index > 0 && index === stretches.length - 1 && lines.at(-1) === '') lines.pop()
      const context = contextRows(lines, index === 0, index === stretches.length - 1, room)
      if (context.length + (changesLeft > 0 ? 2 : 0) <= left) rows.push(...context)
      continue
    }
    if (left < 2 && rows.length > 0) break
    const [removed, added] = [old.slice(...stretch.recorded), current.slice(...stretch.received)]
    rows.push(...replacementRows(removed, added, { ...room, rows: Math.max(1, left) }))
    changesLeft--
  }
  if (changesLeft > 0) rows.push(noteRow(`… ${countOf(changesLeft, 'more changed passage')}`))
  return rows
}

function contextRows(lines: string[], isFirst: boolean, isLast: boolean, room: Room): Row[] {
  const [head, tail] = [isFirst ? 0 : 1, isLast ? 0 : 1]
  const hidden = lines.length - head - tail
  if (lines.length === 0) return []
  if (hidden < 2) return lines.map(contextRow)
  return [
    ...lines.slice(0, head).map(contextRow),
    noteRow(`… ${countOf(hidden, 'line')} unchanged`),
    ...lines.slice(lines.length - tail).map(contextRow),
  ]

  function contextRow(line: string): Row {
    const text = writeOutUnseen(line.slice(0, room.width * 4))
    return { kind: 'context', spans: wrapSpans([{ text }], room.width, 1)[0]! }
  }
}

function noteRow(text: string): Row {
  return { kind: 'note', spans: [{ text }] }
}
