import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { displayPath } from '../../config/paths.ts'
import { isRecorded, type Cassette } from '../../cassette/cassette.ts'
import { encodeTexts } from '../../cassette/encode.ts'
import { isBelowFolder } from '../../cassette/paths.ts'
import { presentOutsideGit } from '../../cassette/write-file.ts'
import { readJournals } from '../../cassette/leftovers.ts'
import { withoutName } from '../../cassette/reader.ts'
import { CassetteStore, keepFile } from '../../cassette/store.ts'
import { recoverCassette, recoverParked } from '../../recording/recovered-cassette.ts'
import { CassetteError } from '../../errors.ts'
import { tryParseJson } from '../../json/json-value.ts'
import { findSecrets } from '../../secrets/find-secrets.ts'
import { withoutKept } from '../../secrets/redactions.ts'
import type { CassetteFolder } from './cassette-folders.ts'
import type { Terminal } from '../terminal/command.ts'

/** The answers that can be brought back into one cassette. */
export interface Recovery {
  /** The path as a person would type it. */
  shown: string
  /** The path below the cassette folder. */
  path: string
  store: CassetteStore
  answers: number
  /** When the last answer arrived, ISO 8601. */
  time: string
  outlook: string
  /** The cassette to write; absent if that is not possible, or not wanted. */
  cassette?: Cassette
  /** The files to delete once the cassette is written. */
  files: string[]
}

/** A leftover of one attempt: a journal or a parked recording. */
interface Leftover {
  path: string
  time: string
  answers: number
  file: string
  /** The names of the credentials that the user stores as they are. */
  keep: readonly string[]
  /** Whether its test had ended when it was asked. */
  late?: boolean
  /**
   * Applies the leftover to the present cassette; `undefined` if it gives none. `isAdded` is set where it holds fewer
   * answers than the cassette, to which they are added.
   */
  apply(known: Cassette | undefined): { cassette: Cassette; isAdded?: boolean } | undefined
}

/** A cassette with such an answer could never be played. */
const LATE =
  'left: asked when the test had ended, and replay refuses that. Await it, and record again'

/** A test that failed may not have asked all. */
const FEWER = 'adds to the cassette, which holds more answers (see --overwrite)'

/**
 * Plans the recovery of files kept outside of git: journals are added to their cassettes, parked recordings
 * replace them, as if their tests had passed, unless they hold fewer answers. A file that cannot be read or used does not hold up the others.
 *
 * @param overwrite includes recordings older than their cassette, and lets fewer answers replace it
 */
export async function planRecovery(
  folder: CassetteFolder,
  terminal: Terminal,
  overwrite: boolean,
): Promise<Recovery[]> {
  const { store } = folder
  const lost: Recovery[] = []
  const leave: Leave = (file, outlook, known = {}) =>
    void lost.push({
      shown: displayPath(terminal.cwd, file),
      path: known.path ?? '',
      store,
      answers: known.answers ?? 0,
      time: known.time ?? statSync(file).mtime.toISOString(),
      outlook,
      files: [file],
    })
  const all = [
    ...journalsOf(folder, leave, terminal),
    ...parkedOf(folder, leave, terminal, overwrite),
  ]
  for (const leftover of all) if (leftover.late) leave(leftover.file, LATE, leftover)
  const usable = all.filter(({ late }) => !late)
  const byPath = [...Map.groupBy(usable, ({ path }) => path)]
  byPath.sort(([one], [other]) => (one < other ? -1 : 1))
  const left = (leftover: Leftover, error: unknown): void =>
    leave(leftover.file, unreadable(withoutName(error as Error)), leftover)
  const plans: Recovery[] = []
  for (const [path, found] of terminal.progress.over(byPath, 'recordings put together')) {
    try {
      plans.push(await planOne(folder, path, found, left, terminal, overwrite))
    } catch (error) {
      for (const leftover of found) left(leftover, error)
    }
  }
  return [...plans, ...lost]
}

/** Leaves a file that gives no cassette. */
type Leave = (file: string, outlook: string, known?: Partial<Leftover>) => void

async function planOne(
  { store, root }: CassetteFolder,
  path: string,
  found: readonly Leftover[],
  leave: (leftover: Leftover, error: unknown) => void,
  { env }: Terminal,
  overwrite: boolean,
): Promise<Recovery> {
  const inOrder = found.toSorted((one, other) => (one.time < other.time ? -1 : 1))
  const plan = (outlook: string, used: readonly Leftover[] = found): Recovery => ({
    shown: store.display(path),
    path,
    store,
    answers: used.reduce((sum, { answers }) => sum + answers, 0),
    time: inOrder.at(-1)!.time,
    files: [...new Set(used.flatMap(({ file }) => [file, keepFile(file)]))].filter((file) =>
      existsSync(file),
    ),
    outlook,
  })
  let known: Cassette | undefined
  try {
    known = store.load(path)
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    return plan('left: the cassette that is there cannot be read')
  }
  const wanted = inOrder.filter(({ time }) => overwrite || !known || time > known.timestamp)
  if (wanted.length === 0) return plan('left: the cassette was recorded later (see --overwrite)')
  let cassette: Cassette | undefined
  let outlook = known ? 'changes the cassette' : 'a new cassette'
  const used = new Set(found)
  for (const leftover of wanted) {
    try {
      const applied = leftover.apply(cassette ?? known)
      if (applied?.isAdded) outlook = FEWER
      cassette = applied?.cassette ?? cassette
    } catch (error) {
      used.delete(leftover)
      leave(leftover, error)
    }
  }
  if (!cassette) return plan('left: it holds no answer but errors of the provider', [...used])
  if (isTestGone(cassette, root)) return plan('left: its test file is gone', [...used])
  const stored = encodeTexts(cassette)
  const keep = [...used].flatMap((one) => one.keep)
  const [secret] = findSecrets(stored, cassette.exchanges, withoutKept(env, keep)).secrets
  if (secret) {
    const { rule, pointer, masked } = secret
    const why = `left: what looks like a credential (${rule}) at ${pointer}: ${masked}`
    return plan(why, [...used])
  }
  return { ...plan(outlook, [...used]), cassette }
}

/** A cassette whose test is gone would be an orphan. That of a program is named after its own file. */
function isTestGone({ conversationId }: Cassette, root: string): boolean {
  const [file = ''] = conversationId.split(' > ')
  return !file.endsWith('.json') && !existsSync(join(root, file))
}

function journalsOf(
  { store, root }: CassetteFolder,
  leave: Leave,
  { progress }: Terminal,
): Leftover[] {
  const left = readJournals(
    root,
    store.pathFrom(root, ''),
    (file, problem) => leave(file, unreadable(problem)),
    (files) => progress.over(files, 'journals read'),
  )
  return left.map(({ id, answers, ...rest }) => ({
    ...rest,
    answers: answers.length,
    keep: answers.flatMap((answer) => answer.keep ?? []),
    apply: (known) => {
      const cassette = recoverCassette(known, { id, time: rest.time, answers })
      return cassette && { cassette }
    },
  }))
}

function parkedOf(
  { store, root }: CassetteFolder,
  leave: Leave,
  { progress }: Terminal,
  overwrite: boolean,
): Leftover[] {
  const folders = presentOutsideGit(root, store.pathFrom(root, ''), 'parked')
  return folders.flatMap((folder) => {
    const parked = new CassetteStore(folder, '.', Infinity)
    const read = (path: string): Leftover[] => {
      const file = join(folder, path)
      try {
        const cassette = parked.load(path)!
        const { timestamp: time, exchanges } = cassette
        const answers = exchanges.filter(isRecorded).length
        const apply: Leftover['apply'] = (known) => recoverParked(known, cassette, overwrite)
        return [
          { path, time, answers, file, keep: keptBeside(join(folder, keepFile(path))), apply },
        ]
      } catch (error) {
        // A recording that was cut off while it was parked is in the journal as well.
        leave(file, unreadable(withoutName(error as Error)), { path })
        return []
      }
    }
    const paths = parked.list().filter(isBelowFolder)
    return Array.from(progress.over(paths, 'recordings read'), read).flat()
  })
}

/** The names beside a parked recording; none where the file is missing or broken, and then nothing is kept. */
function keptBeside(file: string): string[] {
  const names = existsSync(file) ? tryParseJson(readFileSync(file, 'utf8')) : []
  return Array.isArray(names) ? names.map(String) : []
}

function unreadable(problem: string): string {
  return `left, as it cannot be read: ${problem.split('\n')[0]}`
}
