import { wrapAnsi } from 'fast-wrap-ansi'
import stringWidth from 'fast-string-width'
import { printable } from '../../diff/render/printable.ts'

/** How text is laid out. */
export interface TextLayout {
  /** The width of the terminal in columns. */
  width: number
  /** Lines after which a text is folded. */
  maxLines: number
  /** Opens the line that says how much is folded. */
  more: string
}

/**
 * A text as lines that fit: wrapped, folded where it is long, control characters written out. `lead`
 * opens the first line, spaces of its width or `indent` the others.
 */
export function layOutText(
  text: string,
  lead: string,
  { width, maxLines, more }: TextLayout,
  indent: string = ' '.repeat(stringWidth(lead)),
): string[] {
  const columns = Math.max(20, width - stringWidth(indent))
  const plain = printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '  '))
  const lines = plain
    .split('\n')
    .flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split('\n'))
  // A fold that hides two lines takes as much room as it saves.
  const shown = lines.length > maxLines + 2 ? lines.slice(0, maxLines) : lines
  const hidden = lines.length - shown.length
  if (hidden > 0) shown.push(`${more} ${hidden.toLocaleString('en')} more lines (--full)`)
  return shown.map((line, index) => `${index === 0 ? lead : indent}${line}`.trimEnd())
}
