import type { createColors } from 'picocolors'
import { breakCommands, writeOutUnseen } from './printable.ts'
import { textOfSpans, wrapSpans, type Row, type Span } from './row.ts'

type Colors = ReturnType<typeof createColors>

const PREFIXES: Record<Row['kind'], string> = {
  fold: '  ',
  heading: '  ',
  removed: '    - ',
  added: '    + ',
  context: '      ',
  note: '      ',
}

/** Columns that every row takes before its text. */
export const PREFIX_WIDTH = 8

/** A row as one line of text. Except for our own colours, nothing in it acts on a terminal or a CI runner. */
export function paintRow(row: Row, width: number, colors: Colors): string {
  const prefix = PREFIXES[row.kind] + (row.continued ? '  ' : '')
  const spans = wrapSpans(row.spans, width - prefix.length, 1)[0]!
  if (textOfSpans(spans) === '') return prefix.trimEnd()
  // Made harmless as a whole: a command could stand across two spans.
  const safe = breakAlike([{ text: prefix }, ...spans])
  const line = safe.map((span) => (span.marked ? colors.inverse(span.text) : span.text)).join('')
  if (row.kind === 'removed') return colors.red(line)
  if (row.kind === 'added') return colors.green(line)
  return row.kind === 'heading' ? colors.bold(line) : colors.dim(line)
}

function breakAlike(spans: Span[]): Span[] {
  // A row can end inside of an emoji, and the rest of it can be invisible.
  const texts = spans.map(({ text }) => writeOutUnseen(text))
  const safe = breakCommands(texts.join(''))
  let at = 0
  return spans.map((span, index) => {
    const from = at
    for (const unit of texts[index]!.split('')) at = safe.indexOf(unit, at) + 1
    return { ...span, text: safe.slice(from, at) }
  })
}
