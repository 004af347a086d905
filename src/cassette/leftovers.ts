import { basename, dirname, join } from '../real/path.ts'
import { JOURNAL_FOLDER } from '../config/paths.ts'
import { CassetteError } from '../errors.ts'
import { parseJson } from '../json/json-value.ts'
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from '../real/files.ts'
import { isRecorded } from './cassette.ts'
import { decodeCassette } from './decode.ts'
import { FORMAT_VERSION } from './format.ts'
import {
  isBeingWritten,
  journalFiles,
  type JournalLine,
  journalName,
  type PaidAnswer,
} from './journal.ts'
import type { JudgedFolder } from './orphans.ts'
import { findSymlink, folderEntries, isBelowFolder } from './paths.ts'
import { CassetteStore } from './store.ts'
import { isBlob } from './blobs.ts'

/** A file that nothing uses any more, and that `prune` deletes. Journals are left to `recover`. */
export interface Leftover {
  /** Absolute. */
  file: string
  bytes: number
  /** The conversation of an orphan; absent for a file that no cassette refers to. */
  id?: string
}

/** Iterates over paths, and may report progress. */
type Each = (paths: readonly string[]) => Iterable<string>

/** The orphans of a folder, and the files that no cassette refers to once they are gone. */
export function findLeftovers(
  { root, dir, orphans }: JudgedFolder,
  each: Each = (paths) => paths,
): Leftover[] {
  const folder = join(root, dir)
  const cassettes = orphans.map(({ path, id }) => ({ ...measure(join(folder, path)), id }))
  const blobs = unusedBlobs(root, dir, new Set(orphans.map(({ path }) => path)), each)
  return [...cassettes, ...blobs.map((name) => measure(join(folder, 'blobs', name)))]
}

/** Deletes leftovers, and the folders that are empty then. */
export function deleteLeftovers({ root, dir }: JudgedFolder, leftovers: Iterable<Leftover>): void {
  const folder = join(root, dir)
  for (const { file } of leftovers) {
    // A link may have appeared there since the check.
    if (findSymlink(root, file) !== undefined) continue
    rmSync(file)
    for (let parent = dirname(file); parent.length >= folder.length; parent = dirname(parent))
      if (!deleteEmpty(parent)) break
  }
}

function unusedBlobs(
  root: string,
  dir: string,
  orphans: ReadonlySet<string>,
  each: Each,
): string[] {
  const folder = join(root, dir, 'blobs')
  if (findSymlink(root, folder) !== undefined) return []
  const blobs = filesIn(folder).filter((name) => isBlob(name, readFileSync(join(folder, name))))
  if (blobs.length === 0) return []
  // A name in any other file keeps a blob, whether or not that file is a cassette.
  const others = new CassetteStore(root, dir, Infinity).list().filter((path) => !orphans.has(path))
  const texts = Array.from(each(others), (path) => readFileSync(join(root, dir, path)))
  return blobs.filter((name) => !texts.some((text) => text.includes(name)))
}

function filesIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

function measure(file: string): Leftover {
  return { file, bytes: lstatSync(file).size }
}

function deleteEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** The journal of an attempt that ended without writing its cassette. */
export interface LeftJournal {
  /** Absolute. */
  file: string
  /** The path of the cassette, below the cassette folder. */
  path: string
  id: string
  /** When its last answer arrived, ISO 8601. */
  time: string
  /** Whether its test had ended when it was asked. */
  late: boolean
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

/**
 * How many attempts of a project have ended without writing their cassette, and left answers for one.
 *
 * @param isMeant whether a conversation counts; without it, all do
 */
export function countInterrupted(
  root: string,
  isMeant: (id: string) => boolean = () => true,
): number {
  const folder = join(root, JOURNAL_FOLDER)
  const journals = folderEntries(folder).filter(
    ({ path, kind }) => kind === 'file' && path.endsWith('.jsonl'),
  )
  return journals.filter(({ path }) => {
    const file = join(folder, path)
    if (isBeingWritten(file)) return false
    try {
      const { id, late } = readJournal(file)
      return !late && isMeant(id)
    } catch {
      // `recover` says what is wrong with it.
      return true
    }
  }).length
}

/** Whether an attempt of one test has ended without writing its cassette, and left answers for it. */
export function hasLeftAnswers(root: string, dir: string, path: string): boolean {
  return journalFiles(root, dir)
    .filter((file) => basename(file).startsWith(`${journalName(path)}.`) && !isBeingWritten(file))
    .some((file) => {
      try {
        return !readJournal(file).late
      } catch {
        return false
      }
    })
}

/** @throws the error of the file system, or an error if the file holds no answer. */
function readJournal(file: string): LeftJournal {
  const lines = readFileSync(file, 'utf8').split('\n').flatMap(readLine)
  const last = lines.at(-1)
  if (!last || !isBelowFolder(last.path))
    throw new CassetteError('invalid-cassette', 'no whole answer is in it')
  const { path, id, time } = last
  const late = lines.every(({ answer }) => answer.late === true)
  const byOrder = new Map(lines.map(({ answer }) => [answer.order, answer]))
  const endOf = ({ ended, order }: PaidAnswer): number => ended ?? order
  const answers = [...byOrder.values()].sort((one, other) => endOf(one) - endOf(other))
  return { file, path, id, time, late, answers }
}

/** An answer that is kept has all in its line. */
function refuseFile(name: string): never {
  throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
}

/** Returns nothing for a line that was torn when its writer died. */
function readLine(
  text: string,
): Array<Pick<JournalLine, 'path' | 'id' | 'time'> & { answer: PaidAnswer }> {
  try {
    const line = parseJson(text) as unknown as JournalLine
    const { path, id, time, exchange, ...rest } = line
    const { exchanges } = decodeCassette(
      { version: FORMAT_VERSION, conversation_id: id, timestamp: time, exchanges: [exchange] },
      refuseFile,
    )
    const [kept] = exchanges
    if (!kept || !isRecorded(kept)) return []
    const answer: PaidAnswer = { ...rest, ...kept.wire }
    return [{ path, id, time, answer }]
  } catch {
    return []
  }
}
