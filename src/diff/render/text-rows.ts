import { alignSequences } from '../compare/align.ts'
import { countOf } from './count-of.ts'
import { writeOutUnseen } from './printable.ts'
import { replacementRows } from './replacement-rows.ts'
import { wrapSpans, type Room, type Row } from './row.ts'

/** With fewer rows than this, there is no room for context. */
const MIN_ROWS_FOR_CONTEXT = 8

/** The rows that show how a text changed: changed lines with one line of context around them. */
export function textRows(before: string, after: string, room: Room): Row[] {
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
