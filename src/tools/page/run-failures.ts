import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isBlob } from '../../cassette/blobs.ts'
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

type Kind = FailureLine['kind']

/** The kind of a line by the code of its terminal colour. */
const KINDS: Record<string, Kind> = { '31': 'plain', '32': 'plain', '1': 'strong', '2': 'quiet' }

/** The signs in front of lines, which tell more than their colours. */
const SIGNS: Record<string, Kind> = { '    - ': 'removed', '    + ': 'added' }

/** Whether a text is marked after a code: inverse, not inverse, plain again. */
const MARKS: Record<string, boolean> = { '7': true, '27': false, '0': false, '': false }

export function readPaintedLines(text: string): FailureLine[] {
  return text.split('\n').map(readLine)
}

function readLine(line: string): FailureLine {
  let painted: Kind | undefined
  let marked = false
  const spans: FailureLine['spans'] = []
  for (const [at, piece] of line.split(COLOR).entries()) {
    const isColor = at % 2 === 1
    for (const code of isColor ? piece.slice(2, -1).split(';') : []) {
      if (spans.length === 0) painted ??= KINDS[code]
      marked = MARKS[code] ?? marked
    }
    if (!isColor && piece !== '') spans.push(marked ? { text: piece, marked } : { text: piece })
  }
  const plain = spans.map(({ text }) => text).join('')
  const sign = Object.keys(SIGNS).find((one) => plain.startsWith(one))
  return { kind: sign === undefined ? (painted ?? 'plain') : SIGNS[sign]!, spans }
}
