import type { FailureLine } from './data/report-data.ts'
import { showText } from './show-text.ts'

// oxlint-disable-next-line no-control-regex -- the colours of a terminal
const COLOR = /(\u001b\[[\d;]*m)/

/** The kind of a line by the code of its terminal colour. */
const KINDS: Record<string, FailureLine['kind']> = {
  '31': 'removed',
  '32': 'added',
  '1': 'strong',
  '2': 'quiet',
}

const INVERSE = '7'
const NOT_INVERSE = '27'

/** Reads the lines of a text with or without terminal colours. */
export function readPaintedLines(text: string): FailureLine[] {
  return text.split('\n').map(readLine)
}

function readLine(line: string): FailureLine {
  let painted: FailureLine['kind'] | undefined
  let marked = false
  const spans: FailureLine['spans'] = []
  for (const [at, piece] of line.split(COLOR).entries()) {
    if (at % 2 === 1) {
      for (const code of piece.slice(2, -1).split(';')) {
        if (spans.length === 0) painted ??= KINDS[code]
        if (code === INVERSE) marked = true
        if (code === NOT_INVERSE || code === '' || code === '0') marked = false
      }
    } else if (piece !== '') {
      spans.push({ text: showText(piece), ...(marked ? { marked: true as const } : {}) })
    }
  }
  const plain = spans.map(({ text }) => text).join('')
  return { kind: kindOf(plain, painted), spans }
}

/** The sign in front tells removed and added lines; the colour tells the other kinds. */
function kindOf(line: string, painted: FailureLine['kind'] | undefined): FailureLine['kind'] {
  if (line.startsWith('    - ')) return 'removed'
  if (line.startsWith('    + ')) return 'added'
  return painted === 'removed' || painted === 'added' ? 'plain' : (painted ?? 'plain')
}
