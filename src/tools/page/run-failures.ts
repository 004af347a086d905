import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isBlob } from '../../cassette/stored-body.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type {
  FailedTestOfPage,
  FailureLine,
  FailureRow,
  PicturePair,
  ReportFailure,
} from './data/report-data.ts'
import type { ReportFolder } from './report-folder.ts'

/** One failure of a run, and every test that it failed. */
export interface RunFailure {
  headline: string
  /** The rest of the failure as the terminal shows it, with colours. */
  details: string
  tests: FailedTestOfPage[]
  /** Files of pictures, by their paths on this machine. */
  pictures?: PicturePair[]
}

/** Writes each failure to a data file. The page loads the first ones at once, and the others when they are opened. */
export function writeFailures(target: ReportFolder, failures: readonly RunFailure[]): FailureRow[] {
  return failures.map(({ headline, details, tests, pictures = [] }) => {
    const id = `failure-${sha256(JSON.stringify([headline, details])).slice(0, 12)}`
    const failure: ReportFailure = {
      lines: readPaintedLines(details),
      pictures: pictures.map(({ recorded, asked }) => ({
        recorded: copyPicture(target, recorded),
        asked: copyPicture(target, asked),
      })),
    }
    target.writeData(id, failure)
    return { id, headline, tests }
  })
}

/** Copies a picture into the report. Where it cannot be read, the text of the failure names it. */
function copyPicture(target: ReportFolder, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const name = basename(file)
  try {
    const bytes = readFileSync(file)
    if (!isBlob(name, bytes)) return undefined
    target.writeBlob(name, bytes)
    return name
  } catch {
    return undefined
  }
}

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
      spans.push(marked ? { text: piece, marked } : { text: piece })
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
