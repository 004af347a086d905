import { statSync } from 'node:fs'
import { join } from 'node:path'
import { displayPath } from '../../config/paths.ts'
import { isRecorded, type Cassette } from '../../cassette/cassette.ts'
import { encodeCassette } from '../../cassette/encode.ts'
import { isBelowFolder, presentOutsideGit } from '../../cassette/paths.ts'
import { readJournals } from '../../cassette/leftovers.ts'
import { withoutName } from '../../cassette/reader.ts'
import { CassetteStore } from '../../cassette/store.ts'
import { leaveErrors, recoverCassette } from '../../recording/recover.ts'
import { CassetteError } from '../../errors.ts'
import { findSecrets } from '../../secrets/find-secrets.ts'
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
  /** The outcome, for people. */
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
  /** Whether its test had ended when it was asked. */
  late?: boolean
  /** Applies the leftover to the present cassette; `undefined` if it gives none. */
  apply(known: Cassette | undefined): Cassette | undefined
}

/** A cassette with such an answer could never be played. */
const LATE =
  'left: asked when the test had ended, and replay refuses that. Await it, and record again'

/** Plans the recovery of files kept outside of git. A file that cannot be read or used does not hold up the others. */
class RecoveryPlanner {
  readonly #store: CassetteStore
  readonly #root: string
  /** The cassette folder, relative to the root. */
  readonly #dir: string
  readonly #terminal: Terminal
  readonly #overwrite: boolean
  readonly #lost: Recovery[] = []

  constructor({ store, root }: CassetteFolder, terminal: Terminal, overwrite: boolean) {
    this.#store = store
    this.#root = root
    this.#dir = store.pathFrom(root, '')
    this.#terminal = terminal
    this.#overwrite = overwrite
  }

  async plan(): Promise<Recovery[]> {
    const [late, usable] = partition([...this.#journals(), ...this.#parked()])
    for (const leftover of late) this.#leave(leftover.file, LATE, leftover)
    const byPath = Map.groupBy(usable, ({ path }) => path)
    const sorted = [...byPath].sort(([one], [other]) => (one < other ? -1 : 1))
    const plans: Recovery[] = []
    for (const [path, found] of this.#terminal.progress.over(sorted, 'recordings put together')) {
      try {
        plans.push(await this.#planOne(path, found))
      } catch (error) {
        for (const { file, ...rest } of found)
          this.#leave(file, unreadable(withoutName(error as Error)), rest)
      }
    }
    return [...plans, ...this.#lost]
  }

  async #planOne(path: string, found: Leftover[]): Promise<Recovery> {
    const inOrder = found.toSorted((one, other) => (one.time < other.time ? -1 : 1))
    const recovery = {
      shown: this.#store.display(path),
      path,
      store: this.#store,
      answers: found.reduce((sum, { answers }) => sum + answers, 0),
      time: inOrder.at(-1)!.time,
      files: found.map(({ file }) => file),
    }
    let known: Cassette | undefined
    try {
      known = this.#store.load(path)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      return { ...recovery, outlook: 'left: the cassette that is there cannot be read' }
    }
    const wanted = inOrder.filter(({ time }) => this.#overwrite || !known || time > known.timestamp)
    if (wanted.length === 0)
      return { ...recovery, outlook: 'left: the cassette was recorded later (see --overwrite)' }
    let cassette: Cassette | undefined
    for (const leftover of wanted) {
      try {
        cassette = leftover.apply(cassette ?? known) ?? cassette
      } catch (error) {
        recovery.files = recovery.files.filter((file) => file !== leftover.file)
        recovery.answers -= leftover.answers
        this.#leave(leftover.file, unreadable(withoutName(error as Error)), leftover)
      }
    }
    if (!cassette)
      return { ...recovery, outlook: 'left: it holds no answer but errors of the provider' }
    const { stored } = encodeCassette(cassette, '')
    const [secret] = findSecrets(stored, cassette.exchanges, this.#terminal.env).secrets
    if (secret) {
      const { rule, pointer, masked } = secret
      return {
        ...recovery,
        outlook: `left: what looks like a credential (${rule}) at ${pointer}: ${masked}`,
      }
    }
    return { ...recovery, cassette, outlook: known ? 'changes the cassette' : 'a new cassette' }
  }

  #journals(): Leftover[] {
    const leave = (file: string, problem: string): void => this.#leave(file, unreadable(problem))
    const left = readJournals(this.#root, this.#dir, leave, (files) =>
      this.#terminal.progress.over(files, 'journals read'),
    )
    return left.map(({ file, path, id, time, late, answers }) => ({
      path,
      time,
      late,
      answers: answers.length,
      file,
      apply: (known) => recoverCassette(known, { id, time, answers }),
    }))
  }

  #parked(): Leftover[] {
    const folders = presentOutsideGit(this.#root, this.#dir, 'parked')
    return folders.flatMap((folder) => {
      const store = new CassetteStore(folder, '.', Infinity)
      const paths = store.list().filter(isBelowFolder)
      const each = this.#terminal.progress.over(paths, 'recordings read')
      const left = Array.from(each, (path) => this.#readParked(store, path, join(folder, path)))
      return left.flatMap((leftover) => leftover ?? [])
    })
  }

  #readParked(store: CassetteStore, path: string, file: string): Leftover | undefined {
    try {
      const cassette = store.load(path)!
      const { timestamp: time, exchanges } = cassette
      const answers = exchanges.filter(isRecorded).length
      return { path, time, answers, file, apply: () => leaveErrors(cassette) }
    } catch (error) {
      // A recording that was cut off while it was parked is in the journal as well.
      this.#leave(file, unreadable(withoutName(error as Error)), { path })
      return undefined
    }
  }

  /** Leaves a file that gives no cassette. */
  #leave(file: string, outlook: string, known: Partial<Leftover> = {}): void {
    this.#lost.push({
      shown: displayPath(this.#terminal.cwd, file),
      path: known.path ?? '',
      store: this.#store,
      answers: known.answers ?? 0,
      time: known.time ?? statSync(file).mtime.toISOString(),
      outlook,
      files: [file],
    })
  }
}

function unreadable(problem: string): string {
  return `left, as it cannot be read: ${problem.split('\n')[0]}`
}

function partition(all: readonly Leftover[]): [late: Leftover[], usable: Leftover[]] {
  return [all.filter(({ late }) => late), all.filter(({ late }) => !late)]
}

/**
 * Plans the recovery of files kept outside of git: journals are added to their cassettes, parked recordings
 * replace them, as if their tests had passed.
 *
 * @param overwrite includes recordings older than their cassette
 */
export function planRecovery(
  folder: CassetteFolder,
  terminal: Terminal,
  overwrite: boolean,
): Promise<Recovery[]> {
  return new RecoveryPlanner(folder, terminal, overwrite).plan()
}
