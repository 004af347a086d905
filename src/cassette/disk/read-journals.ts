import { join } from 'node:path'
import { lstatSync, readFileSync } from '../../real/files.ts'
import { JOURNAL_FOLDER } from '../../config/folders.ts'
import { CassetteError } from '../../errors.ts'
import { parseJson } from '../../json/json-value.ts'
import { isRecorded } from '../format/cassette.ts'
import { decodeCassette } from '../format/decode-cassette.ts'
import { folderEntries } from './folder-entries.ts'
import { FORMAT_VERSION } from '../format/format.ts'
import { isBeingWritten, journalFiles, type JournalLine, type PaidAnswer } from './journal.ts'
import { isBelowFolder } from './path.ts'

/** The journal of an attempt that ended without writing its cassette. */
export interface LeftJournal {
  /** Absolute. */
  file: string
  /** The path of the cassette, below the cassette folder. */
  path: string
  id: string
  /** When its last answer arrived, ISO 8601. */
  time: string
  /** In the order asked. */
  answers: PaidAnswer[]
}

/**
 * Reads the journals of attempts that ended without writing their cassette.
 *
 * @param report gets each unreadable file, and the reason
 * @param each iterates over the files, and may report progress
 */
export function readJournals(
  root: string,
  dir: string,
  report: (file: string, problem: string) => void = () => {},
  each: (files: readonly string[]) => Iterable<string> = (files) => files,
): LeftJournal[] {
  const files = journalFiles(root, dir).filter(
    (file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() && !isBeingWritten(file),
  )
  const read = (file: string): LeftJournal | undefined => {
    try {
      return readJournal(file)
    } catch (error) {
      report(file, (error as Error).message)
      return undefined
    }
  }
  return Array.from(each(files), read).flatMap((journal) => journal ?? [])
}

/** How many attempts of a project have ended without writing their cassette. */
export function countInterrupted(root: string): number {
  const folder = join(root, JOURNAL_FOLDER)
  const journals = folderEntries(folder).filter(
    ({ path, kind }) => kind === 'file' && path.endsWith('.jsonl'),
  )
  return journals.filter(({ path }) => !isBeingWritten(join(folder, path))).length
}

/** @throws the error of the file system, or an error if the file holds no answer. */
function readJournal(file: string): LeftJournal {
  const lines = readFileSync(file, 'utf8').split('\n').flatMap(readLine)
  const last = lines.at(-1)
  if (!last || !isBelowFolder(last.path))
    throw new CassetteError('invalid-cassette', 'no whole answer is in it')
  const { path, id, time } = last
  const byOrder = new Map(lines.map(({ answer }) => [answer.order, answer]))
  const answers = [...byOrder.values()].sort((one, other) => one.order - other.order)
  return { file, path, id, time, answers }
}

/** Returns nothing for a line that was torn when its writer died. */
function readLine(
  text: string,
): Array<Pick<JournalLine, 'path' | 'id' | 'time'> & { answer: PaidAnswer }> {
  try {
    const line = parseJson(text) as unknown as JournalLine
    const { path, id, time, order, hash, after, durationMs, params, exchange, blobs } = line
    const { exchanges } = decodeCassette(
      { version: FORMAT_VERSION, conversation_id: id, timestamp: time, exchanges: [exchange] },
      (name) => Buffer.from(blobs[name]!, 'base64'),
    )
    const [kept] = exchanges
    if (!kept || !isRecorded(kept)) return []
    const answer: PaidAnswer = { order, hash, after, durationMs, params, ...kept.wire }
    return [{ path, id, time, answer }]
  } catch {
    return []
  }
}
