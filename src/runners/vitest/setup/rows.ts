import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { cassettePath, cassettePathIn, conversationId } from '../../../cassette/paths.ts'
import { ifReadable } from '../../../cassette/reader.ts'
import { CassetteStore } from '../../../cassette/store.ts'
import { folderOfFile, sameTitles, type TestPlace } from '../../../cassette/test-place.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { mostAlike, similarity } from '../../../diff/similarity.ts'
import type { Incoming } from '../../../engine/incoming.ts'
import { comparedPromptFor } from '../../../engine/read-prompt.ts'
import { readRecorded } from '../../../engine/recorded.ts'
import type { Session } from '../../../engine/session.ts'
import { existsSync, readdirSync, rmSync } from '../../../real/files.ts'
import { join } from '../../../real/path.ts'
import { mergerOf } from '../../../recording/merger.ts'
import { rememberFor } from '../../../remember.ts'
import { fromUser } from './current-project.ts'
import { titlesShared } from './shared-titles.ts'
import { placesIn } from './titles.ts'

/** The cassettes of rows, as they were before any of them asked: their requests, by their ordinals. */
type Recordings = ReadonlyMap<number, readonly Incoming[]>

/**
 * Tests of one file that have the same titles. Which cassette belongs to which of them is decided by their first
 * requests, and where these are equal, by their order: a row that is added or moved leaves the others as they are.
 */
class Rows {
  readonly tests: RunnerTestCase[] = []
  readonly #place: Omit<TestPlace, 'ordinal'>
  readonly #root: string
  /** The rows whose cassettes are decided, by ordinal. */
  readonly #owners: Map<number, TestRow> = new Map()
  #recordings?: Recordings

  constructor(place: Omit<TestPlace, 'ordinal'>, root: string) {
    this.#place = place
    this.#root = root
  }

  /** The ordinal of the cassette of a row that sends its first request. */
  ordinalFor(row: TestRow, asked: Incoming, config: ResolvedConfig): number {
    const recordings = this.#recordingsIn(config)
    const left = [...recordings].filter(([ordinal]) => !this.#owners.has(ordinal))
    const isAsked = ({ hash }: Incoming): boolean => hash === asked.hash
    const beginning = left.filter(([, [first]]) => first && isAsked(first))
    const alike = beginning.length > 0 ? beginning : left.filter(([, all]) => all.some(isAsked))
    const own = alike.find(([ordinal]) => ordinal === row.place) ?? alike[0]
    if (own) return own[0]
    row.closest = closestTo(asked, left, row.place)
    if (!this.#owners.has(row.place) && !recordings.has(row.place)) return row.place
    // Each recording may be that of a row which has not asked yet.
    const isAdded = this.tests.length > recordings.size || !sendsNothing(config.mode)
    return (isAdded ? undefined : row.closest) ?? this.#nextOrdinal(recordings)
  }

  #nextOrdinal(recordings: Recordings): number {
    let ordinal = 0
    while (recordings.has(ordinal) || this.#owners.has(ordinal)) ordinal++
    return ordinal
  }

  own(ordinal: number, row: TestRow): void {
    this.#owners.set(ordinal, row)
  }

  isOwned(ordinal: number): boolean {
    return this.#owners.has(ordinal)
  }

  /** Whether each row has a cassette, as far as their numbers tell. */
  isComplete(config: Pick<ResolvedConfig, 'dir' | 'maxCassetteBytes' | 'volatile'>): boolean {
    return this.#recordingsIn(config).size === this.tests.length
  }

  /** The paths of all cassettes that a row may have, from the working directory. */
  pathsIn(config: ResolvedConfig): string[] {
    const last = Math.max(this.tests.length, ...this.#recordingsIn(config).keys())
    return Array.from({ length: last + 1 }, (_, ordinal) =>
      fromUser(`${config.dir}/${cassettePath({ ...this.#place, ordinal })}`),
    )
  }

  #recordingsIn({
    dir,
    maxCassetteBytes,
    volatile,
  }: Pick<ResolvedConfig, 'dir' | 'maxCassetteBytes' | 'volatile'>): Recordings {
    if (this.#recordings) return this.#recordings
    const folder = join(this.#root, dir)
    const own = join(folder, folderOfFile(this.#place.file))
    const most = this.tests.length + (existsSync(own) ? readdirSync(own).length : 0)
    const store = new CassetteStore(this.#root, dir, maxCassetteBytes)
    const found = new Map<number, Incoming[]>()
    for (let ordinal = 0; ordinal < most; ordinal++) {
      const path = cassettePathIn(folder, { ...this.#place, ordinal })
      if (!existsSync(join(folder, path))) continue
      const recorded = ifReadable(() => readRecorded(store.load(path), volatile)) ?? []
      found.set(
        ordinal,
        recorded.flatMap(({ incoming }) => incoming ?? []),
      )
    }
    return (this.#recordings = found)
  }

  /**
   * Once all rows have asked, those that were recorded anew take the cassettes that no row has any more: a row whose first
   * prompt changed keeps its file.
   */
  async settle(moved: Record<string, string>): Promise<void> {
    const rows = [...this.#owners.values()]
    if (!this.#recordings || rows.length < this.tests.length) return
    const left = new Set(
      [...this.#recordings.keys()].filter((ordinal) => !this.#owners.has(ordinal)),
    )
    const anew = rows.filter(({ ordinal }) => !this.#recordings!.has(ordinal))
    const inOrder = anew.toSorted((one, other) => one.place - other.place)
    const take = (row: TestRow, to: number | undefined): Promise<void> | undefined =>
      to !== undefined && left.delete(to) ? this.#move(row, to, moved) : undefined
    const rest: TestRow[] = []
    for (const row of inOrder)
      if (row.closest !== undefined && left.has(row.closest)) await take(row, row.closest)
      else rest.push(row)
    for (const row of rest) await take(row, [...left][0])
  }

  async #move(row: TestRow, to: number, names: Record<string, string>): Promise<void> {
    const { session } = row
    const { dir, maxCassetteBytes } = session!.config
    const store = new CassetteStore(this.#root, dir, maxCassetteBytes)
    const folder = join(this.#root, dir)
    const [from, place] = [row.ordinal, to].map((ordinal) => ({ ...this.#place, ordinal }))
    const path = cassettePathIn(folder, from!)
    const fresh = ifReadable(() => store.load(path))
    // A row that failed has recorded nothing.
    if (!fresh) return
    const cassette = { ...fresh, conversationId: conversationId(place!) }
    const moved = cassettePathIn(folder, place!)
    await store.save(moved, cassette, mergerOf(session!, false))
    rmSync(join(folder, path))
    names[fromUser(`${dir}/${path}`)] = fromUser(`${dir}/${moved}`)
  }
}

/** The recording whose first request is most like another one; of several, the one at the same place. */
function closestTo(
  asked: Incoming,
  left: ReadonlyArray<[number, readonly Incoming[]]>,
  place: number,
): number | undefined {
  const prompt = comparedPromptFor(asked)
  const inOrder = left.toSorted(([one], [other]) => Number(other === place) - Number(one === place))
  return mostAlike(inOrder, ([, [first]]) =>
    first ? similarity(comparedPromptFor(first), prompt) : 0,
  )?.[0]
}

/** One of several tests that have the same titles. */
export class TestRow {
  readonly test: RunnerTestCase
  /** Its place among them. */
  readonly place: number
  readonly #rows: Rows
  /** The session that recorded it. */
  session?: Session
  /** The ordinal of the recording that is most like its first request, if none is equal. */
  closest?: number | undefined
  #ordinal: number
  #isOwner = false

  constructor(rows: Rows, test: RunnerTestCase, place: number) {
    this.#rows = rows
    this.test = test
    this.place = place
    this.#ordinal = place
  }

  /** The ordinal of its cassette. */
  get ordinal(): number {
    return this.#ordinal
  }

  /**
   * Finds its cassette.
   *
   * @param counts whether the request is certain to be one of its test
   */
  take(incoming: Incoming, session: Session, counts: boolean): void {
    if (!this.#isOwner) this.#ordinal = this.#rows.ordinalFor(this, incoming, session.config)
    this.session = session
    if (!counts || this.#isOwner) return
    // In replay, a row that nothing is recorded for leaves each cassette to the row that asks for it.
    if (sendsNothing(session.config.mode) && !session.find(incoming)) return
    this.#isOwner = true
    this.#rows.own(this.#ordinal, this)
  }

  /** Whether a cassette waits for a row that has asked nothing. */
  isAwaited(config: ResolvedConfig): boolean {
    return this.#isOwner || (!this.#rows.isOwned(this.place) && this.#rows.isComplete(config))
  }

  /** The paths of all cassettes that it may have, from the working directory. */
  pathsIn(config: ResolvedConfig): string[] {
    return this.#rows.pathsIn(config)
  }
}

interface RowsOfFile {
  all: Map<string, Rows>
  rows: Map<RunnerTask, TestRow>
}

const ofFile = rememberFor((_file: RunnerTestFile): RowsOfFile => ({
  all: new Map(),
  rows: new Map(),
}))

/** A test as a row, if others of its file have the same titles. */
export function rowOf(test: RunnerTestCase, file: string, root: string): TestRow | undefined {
  const { all, rows } = ofFile(test.file)
  if (rows.size === 0)
    for (const [task, { titles, ordinal }] of placesIn(test.file)) {
      const key = sameTitles(titles)
      if (!titlesShared(test.file).has(key)) continue
      let own = all.get(key)
      if (!own) all.set(key, (own = new Rows({ file, titles }, root)))
      own.tests.push(task as RunnerTestCase)
      rows.set(task, new TestRow(own, task as RunnerTestCase, ordinal))
    }
  return rows.get(test)
}

/**
 * Gives the rows of a file their cassettes once all of them were recorded. Resolves to the new path of each cassette that
 * got another one.
 */
export async function settleRows(file: RunnerTestFile): Promise<Record<string, string>> {
  const moved: Record<string, string> = {}
  for (const rows of ofFile(file).all.values()) await rows.settle(moved)
  return moved
}
