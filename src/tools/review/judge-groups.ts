import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOutsideGit, OWNER_ONLY, presentOutsideGit } from '../../cassette/write-file.ts'
import type { Change } from '../../diff/change.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { replaceNote } from '../../secrets/replace-note.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'
import { type Group, groupChanges } from './groups.ts'
import { type Folder, type PendingRecording, writeOutsideGit } from './recordings.ts'

export type Decision = 'accept' | 'reject' | 'skip' | 'each' | 'quit'

/** A group that waits for a verdict. */
export interface GroupQuestion {
  group: Group
  /** Whether its recordings lie outside of git. */
  isKept: boolean
  /** How many of its recordings have other changes too, which are rejected with this group. */
  others: number
  /** How many groups are left, this one included. */
  left: number
}

/** Asks a person at a terminal for verdicts. */
export interface Judge {
  ask(question: GroupQuestion): Promise<Decision>
  /** Reports a failed action. */
  warn(text: string): void
}

export interface ReviewResult {
  accepted: PendingRecording[]
  rejected: PendingRecording[]
  left: number
  /** The paths of the copies of the rejected ones. */
  copies: string[]
}

/** Asks for a verdict on each group. Each verdict is written at once, so that an interrupted review loses nothing. */
export class Review {
  readonly #recordings: Map<CassetteComparison, PendingRecording>
  readonly #marks: Marks
  readonly #judge: Judge
  readonly #outcome: ReviewResult = { accepted: [], rejected: [], left: 0, copies: [] }
  /** The keys of the changes of each recording that wait for a verdict. */
  readonly #open: Map<PendingRecording, Set<string>>

  constructor(recordings: readonly PendingRecording[], judge: Judge) {
    this.#recordings = new Map(recordings.map((one) => [one.comparison, one]))
    this.#marks = new Marks(recordings)
    this.#judge = judge
    this.#open = new Map(
      recordings.map((one) => {
        const changes = one.comparison.changes.filter((change) => !this.#marks.has(one, change))
        // A kept recording with all changes accepted could not be written, so it is asked for again.
        const open = changes.length === 0 && one.isKept ? one.comparison.changes : changes
        return [one, new Set(open.map(({ key }) => key))]
      }),
    )
    for (const [recording, changes] of this.#open)
      if (changes.size === 0) this.#open.delete(recording)
  }

  get size(): number {
    return this.#open.size
  }

  get waiting(): Group[] {
    return this.#groups().flatMap((group) => this.#stillOpen(group) ?? [])
  }

  async run(): Promise<ReviewResult> {
    const queue = this.#groups()
    while (queue.length > 0) {
      const group = this.#stillOpen(queue[0]!)
      if (!group) {
        queue.shift()
        continue
      }
      const verdict = await this.#judge.ask(this.#question(group, queue.length))
      if (verdict === 'quit') break
      queue.shift()
      if (verdict === 'each')
        queue.unshift(...group.cassettes.map((one) => ({ ...group, cassettes: [one] })))
      if (verdict === 'accept') await this.#accept(group)
      if (verdict === 'reject') await this.#reject(group)
    }
    this.#outcome.left = this.#open.size
    return this.#outcome
  }

  /** The groups, those of the working tree first: the recordings of failed tests are rarely wanted. */
  #groups(): Group[] {
    return [false, true].flatMap((isKept) => {
      const open = [...this.#open].filter(([recording]) => recording.isKept === isKept)
      return groupChanges(open.map(([{ comparison }]) => comparison))
    })
  }

  /** The group without the cassettes that are judged by now; `undefined` if none is left. */
  #stillOpen({ changes, cassettes }: Group): Group | undefined {
    const open = cassettes.filter((one) => changes.some(({ key }) => this.#isOpen(one, key)))
    return open.length > 0 ? { changes, cassettes: open } : undefined
  }

  #isOpen(cassette: CassetteComparison, key: string): boolean {
    return this.#open.get(this.#recordings.get(cassette)!)?.has(key) === true
  }

  #question(group: Group, left: number): GroupQuestion {
    const { changes, cassettes } = group
    const own = new Set(changes.map(({ key }) => key))
    const others = cassettes.filter((one) => one.changes.some(({ key }) => !own.has(key))).length
    const { isKept } = this.#recordings.get(cassettes[0]!)!
    return { group, isKept, others, left }
  }

  async #accept({ changes, cassettes }: Group): Promise<void> {
    const recordings = cassettes.map((one) => this.#recordings.get(one)!)
    await this.#marks.add(recordings, changes)
    for (const recording of recordings) {
      const open = this.#open.get(recording)!
      for (const { key } of changes) open.delete(key)
      // A recording is accepted as a whole, once no change of it waits for a verdict.
      if (open.size === 0) await this.#settle(recording, 'accepted', () => recording.accept())
    }
  }

  async #reject({ cassettes }: Group): Promise<void> {
    for (const recording of cassettes.map((one) => this.#recordings.get(one)!))
      await this.#settle(recording, 'rejected', async () => {
        const copy = await recording.reject()
        if (copy !== undefined) this.#outcome.copies.push(copy)
      })
  }

  async #settle(
    recording: PendingRecording,
    as: 'accepted' | 'rejected',
    act: () => Promise<void>,
  ): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#judge.warn(`${recording.comparison.name} stays as it is: ${(error as Error).message}`)
      return
    }
    this.#open.delete(recording)
    this.#outcome[as].push(recording)
  }
}

const FILE = 'accepted'

/**
 * Remembers which changes a person has accepted, so that a review continues where the last one ended. A mark is valid
 * for one change and one text of a recording: a new recording needs a new verdict.
 */
class Marks {
  readonly #known: Set<string>
  readonly #byFolder: ReadonlyArray<[Folder, PendingRecording[]]>

  constructor(recordings: readonly PendingRecording[]) {
    const byWay = Map.groupBy(recordings, ({ folder }) => folder.way)
    this.#byFolder = [...byWay.values()].map((found) => [found[0]!.folder, found])
    this.#known = new Set(this.#byFolder.flatMap(([folder]) => readMarks(folder)))
  }

  has(recording: PendingRecording, change: Change): boolean {
    return this.#known.has(markOf(recording, change))
  }

  /** Marks changes as accepted, and drops the marks of changes that no recording has any more. */
  async add(accepted: readonly PendingRecording[], changes: readonly Change[]): Promise<void> {
    const marksOf = (recording: PendingRecording, all: readonly Change[]): string[] =>
      all.map((change) => markOf(recording, change))
    for (const mark of accepted.flatMap((one) => marksOf(one, changes))) this.#known.add(mark)
    for (const [folder, recordings] of this.#byFolder) {
      const marks = recordings.flatMap((one) => marksOf(one, one.comparison.changes))
      const known = marks.filter((mark) => this.#known.has(mark))
      await writeMarks(folder, known)
    }
  }
}

function markOf({ comparison: { name }, text, isKept }: PendingRecording, { key }: Change): string {
  return sha256(JSON.stringify([name, isKept, sha256(text), key]))
}

function readMarks({ root, dir }: Folder): string[] {
  return presentOutsideGit(root, dir, 'reviewed').flatMap((folder) => {
    try {
      return readFileSync(join(folder, FILE), 'utf8').split('\n')
    } catch {
      return []
    }
  })
}

/** Writes marks. If no folder can be written, the next review asks again. */
async function writeMarks(folder: Folder, marks: readonly string[]): Promise<void> {
  const write = async (kept: string): Promise<void> => {
    makeOutsideGit(folder.root, kept)
    await replaceNote(join(kept, FILE), marks.join('\n'), OWNER_ONLY)
  }
  await writeOutsideGit(folder, 'reviewed', write).catch(() => {})
}
