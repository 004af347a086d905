import { readFileSync } from 'node:fs'
import { sha256 } from '../../prompt/sha256.ts'
import { isBlob } from '../../cassette/stored-body.ts'
import { basename } from 'node:path'
import { writeDataFile } from './data-file.ts'
import type {
  FailedTestOfPage,
  FailureRow,
  PicturePair,
  ReportFailure,
} from './data/report-data.ts'
import { readPaintedLines } from './painted-lines.ts'
import type { ReportFolder } from './report-folder.ts'
import { showText } from './show-text.ts'

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
      id,
      lines: readPaintedLines(details),
      pictures: pictures.map((pair) => copyPair(target, pair)),
    }
    target.write(`data/${id}.js`, writeDataFile('failure', failure))
    const shown = tests.map(({ title, path }) => ({ title: showText(title), path }))
    return { id, headline: showText(headline), tests: shown }
  })
}

function copyPair(target: ReportFolder, { recorded, asked }: PicturePair): PicturePair {
  return {
    ...(recorded === undefined ? {} : copy('recorded', recorded)),
    ...(asked === undefined ? {} : copy('asked', asked)),
  }

  function copy(side: keyof PicturePair, file: string): PicturePair {
    const name = basename(file)
    try {
      const bytes = readFileSync(file)
      if (!isBlob(name, bytes)) return {}
      target.write(`blobs/${name}`, bytes)
      return { [side]: name }
    } catch {
      // The text of the failure names the picture.
      return {}
    }
  }
}
