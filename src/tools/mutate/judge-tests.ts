import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { readLines, writePlan, type RunLine, type TestLine } from '../../attempt/run-channel.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { standInFolder } from '../../cassette/paths.ts'
import { CassetteStore } from '../../cassette/store.ts'
import { CACHE_FOLDER, pathFrom } from '../../config/paths.ts'
import { isJsonObject, tryParseJson } from '../../json/json-value.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { writeNote } from '../../secrets/notes.ts'
import {
  canBeMutated,
  type Fate,
  type Mutant,
  mutantsOf,
  rewritten,
  sample,
  withMutant,
} from './mutants.ts'
import type { JudgedTest } from './mutate.ts'

/** A test with LLM calls, and how it ended. */
export interface TestEnd extends TestLine {
  /** The path of its cassette, relative to the working directory of the user. */
  cassette: string
  passed: boolean
  misses: number
}

/** The fate of a mutant, from the result of its test. */
function fateOf({ passed, failedItself, misses }: TestEnd): Fate {
  if (!passed && misses > 0) return 'requests'
  return !passed && failedItself ? 'assertion' : 'survived'
}

interface Judging {
  cwd: string
  /** The folder for stand-in cassettes, and for the results of tests. */
  folder: string
  /** Runs the tests of these files. The first run gets none, and runs all that are meant. */
  run(files: readonly string[]): Promise<void>
  known: KnownFates
  /** How many answers are changed for each test, at most. */
  most: number
  seed: string
  /** Whether a test is meant, by its file and its cassette, relative to the working directory of the user. */
  isMeant(file: string, cassette: string): boolean
  /** In milliseconds since the epoch: starts no further run after this time. */
  until: number
  /** Is called with the progress. */
  tell(done: number, of: number): void
}

export interface Judgement {
  tests: JudgedTest[]
  /** The number of answers that were not changed, since the time was up. */
  left: number
}

/** Changes the answers of tests one at a time, for many tests in each run, and tells which tests noticed. */
export async function judgeTests(judging: Judging): Promise<Judgement> {
  const lines = await runOnce(judging, [], async () => {})
  const places = new CassettePlaces(lines, judging.cwd)
  // Files run in parallel, and end in any order.
  const asked = testsIn(lines)
    .filter((line) => judging.isMeant(shown(line, judging), line.cassette))
    .toSorted((one, other) => compare(one.file, other.file) || (one.line ?? 0) - (other.line ?? 0))
  const judged = asked.map((line) => judgeTest(line, places, judging))
  const subjects = judged.flatMap(({ subject }) => subject ?? [])
  await checkRewriting(subjects, places, judging)
  await tryMutants(subjects, places, judging)
  judging.known.save()
  return { tests: judged.map(({ test }) => test), left: countOpen(subjects) }
}

/** The record of a test, with the mutants to try where it passes as recorded. */
function judgeTest(
  line: TestEnd,
  places: CassettePlaces,
  judging: Judging,
): { test: JudgedTest; subject?: Subject } {
  const { title, cassette: path } = line
  const file = shown(line, judging)
  const test: JudgedTest = { file, line: line.line, title, cassette: path, mutants: [] }
  const cassette = places.read(path)
  if (!line.passed || !cassette) {
    test.leftOut = line.passed ? 'it has no cassette' : 'it fails as it is'
    return { test }
  }
  const cannot = cassette.exchanges.filter((exchange) => !canBeMutated(exchange))
  if (cannot.length > 0)
    test.leftOut = `no other answer can be written for ${cannot.map(({ id }) => id).join(', ')}`
  const chosen = sample(mutantsOf(cassette), judging.most, judging.seed)
  return { test, subject: new Subject(test, line, cassette, chosen, judging.known) }
}

/** A test to run with its answers written anew: all of them, or that of one exchange. */
interface Trial {
  subject: Subject
  exchange?: string
}

/** Leaves out answers whose application fails once they are rewritten, even with the same content. */
async function checkRewriting(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const meant = subjects.filter(({ open }) => open.length > 0)
  if (meant.length === 0 || Date.now() >= judging.until) return
  const failing = async (trials: readonly Trial[]): Promise<Trial[]> => {
    const stand = trials.map(({ subject, exchange }) => ({
      subject,
      cassette: rewritten(subject.cassette, (id) => exchange === undefined || id === exchange),
    }))
    const ended = await runWith(stand, places, judging)
    return trials.filter(({ subject }) => !ended.get(subject.line.cassette)?.passed)
  }
  const doubtful = await failing(meant.map((subject) => ({ subject })))
  let left = doubtful.flatMap(({ subject }): Trial[] => {
    const exchanges = new Set(subject.open.map(({ exchange }) => exchange))
    return Array.from(exchanges, (exchange) => ({ subject, exchange }))
  })
  while (left.length > 0) {
    const tried = firstOfEach(left, ({ subject }) => subject)
    left = without(left, tried)
    // Tried again one by one, so that no test fails for another of its file.
    for (let failed = await failing(tried); failed.length > 0;) {
      const alone = firstOfEach(failed, ({ subject }) => subject.line.file)
      for (const { subject, exchange } of await failing(alone))
        subject.leaveOut(exchange!, `its application needs more of ${exchange} than its content`)
      failed = without(failed, alone)
    }
  }
}

async function tryMutants(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const rounds = [...Map.groupBy(subjects, ({ line }) => line.file).values()].map(
    (ofFile) => new Rounds(ofFile),
  )
  const all = countOpen(subjects)
  for (;;) {
    const tried = rounds.map((round) => ({ round, subjects: round.next() }))
    const stand = tried.flatMap((one) =>
      one.subjects.map((subject) => ({
        subject,
        cassette: withMutant(subject.cassette, subject.next!),
      })),
    )
    if (stand.length === 0 || Date.now() >= judging.until) return
    judging.tell(all - countOpen(subjects), all)
    const ended = await runWith(stand, places, judging)
    for (const one of tried) if (one.subjects.length > 0) one.round.end(one.subjects, ended)
  }
}

function countOpen(subjects: readonly Subject[]): number {
  return subjects.reduce((sum, { open }) => sum + open.length, 0)
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  return Array.from(Map.groupBy(items, keyOf).values(), ([first]) => first!)
}

function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  return items.filter((item) => !others.includes(item))
}

async function runWith(
  stand: ReadonlyArray<{ subject: Subject; cassette: Cassette }>,
  places: CassettePlaces,
  judging: Judging,
): Promise<Ended> {
  const files = new Set(stand.map(({ subject }) => subject.line.file))
  const lines = await runOnce(judging, [...files], async (folder) => {
    for (const { subject, cassette } of stand)
      await places.standIn(folder, subject.line.cassette, cassette)
  })
  return new Map(testsIn(lines).map((line) => [line.cassette, line]))
}

async function runOnce(
  { folder, run }: Judging,
  files: readonly string[],
  prepare: (folder: string) => Promise<void>,
): Promise<RunLine[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePlan(folder, { standIns: true })
  await prepare(folder)
  await run(files)
  return readLines(folder)
}

function testsIn(lines: readonly RunLine[]): TestEnd[] {
  return lines.flatMap((line) => {
    if (line.kind !== 'test' || !line.test || !line.cassette) return []
    const { path: cassette, misses } = line.cassette
    return [{ ...line.test, passed: line.passed, cassette, misses }]
  })
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function shown({ file }: TestEnd, { cwd }: Judging): string {
  return pathFrom(cwd, resolve(file))
}

/** How the tests of one run ended, by cassette; a test that did not end has no line. */
type Ended = ReadonlyMap<string, TestEnd>

/**
 * Chooses the tests of a file whose answers are changed in one run: many at once, as long as no test notices a change
 * of another one. In the first runs half of the tests are as recorded, each time another half, so that any two tests
 * are told apart.
 */
export class Rounds {
  readonly #subjects: readonly Subject[]
  #round = 0
  /** Whether its tests depend on each other. Then one answer is changed at a time, and any test may notice. */
  #tied = false

  /** @param subjects the tests of one file */
  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects
  }

  /** The tests whose answers are changed in the next run; empty at the end. */
  next(): Subject[] {
    const open = this.#subjects.filter((one) => one.open.length > 0)
    if (this.#tied) return open.slice(0, 1)
    const round = this.#round++
    const bits = Math.ceil(Math.log2(this.#subjects.length))
    if (round >= 2 * bits) return open
    const half = this.#subjects.filter(
      (one, index) => one.next !== undefined && ((index >> (round >> 1)) & 1) === (round & 1),
    )
    return half.length > 0 ? half : this.next()
  }

  /** Notes the results of a run in which the answers of these tests were changed. */
  end(tried: readonly Subject[], ended: Ended): void {
    const lineOf = (one: Subject): TestEnd | undefined => ended.get(one.line.cassette)
    if (this.#tied) {
      const fates = [...tried, ...this.#others(tried)].map((one) => fateOfEnd(lineOf(one)))
      return tried[0]?.end(fates.find((fate) => fate !== 'survived') ?? 'survived')
    }
    // A test that hangs takes its worker with it, and several could be the cause.
    const isTied = tried.every(lineOf)
      ? this.#others(tried).some((one) => !lineOf(one)?.passed)
      : tried.length > 1
    if (!isTied) return tried.forEach((one) => one.end(fateOfEnd(lineOf(one))))
    this.#tied = true
    for (const one of this.#subjects) one.startAgain()
  }

  #others(tried: readonly Subject[]): Subject[] {
    return without(this.#subjects, tried)
  }
}

function fateOfEnd(line: TestEnd | undefined): Fate {
  return line ? fateOf(line) : 'assertion'
}

/** A test that passes as recorded, with the mutants that are still to be tried. */
export class Subject {
  readonly judged: JudgedTest
  readonly line: TestEnd
  readonly cassette: Cassette
  /** The mutants to try, in order. */
  readonly open: Mutant[] = []
  readonly #known: KnownFates
  /** Changes with the test, the files that it loads and its cassette. */
  readonly #version: string
  #tried: Mutant[] = []

  /** @param mutants those with a result of an earlier run are not tried again */
  constructor(
    judged: JudgedTest,
    line: TestEnd,
    cassette: Cassette,
    mutants: readonly Mutant[],
    known: KnownFates,
  ) {
    this.judged = judged
    this.line = line
    this.cassette = cassette
    this.#known = known
    const files = line.files.filter((file) => existsSync(file))
    const texts = files.map((file) => readFileSync(file, 'utf8'))
    this.#version = sha256(JSON.stringify([cassette.exchanges, ...texts.toSorted()]))
    for (const mutant of mutants) {
      const fate = known.get(this.#version, mutant)
      if (fate) this.#judge(mutant, fate)
      else this.open.push(mutant)
    }
  }

  /** The first open mutant, or one that was tried already, while it is unknown whether other tests notice. */
  get next(): Mutant | undefined {
    return this.open[0] ?? this.#tried[0]
  }

  /** Notes the fate of the first open mutant. */
  end(fate: Fate): void {
    const mutant = this.open.shift()
    if (!mutant) return
    this.#tried.push(mutant)
    this.#judge(mutant, fate)
    this.#known.set(this.#version, mutant, fate)
  }

  /** Notes the reason why a recorded answer is not changed. */
  leaveOut(exchange: string, reason: string): void {
    const { judged, open } = this
    open.splice(0, Infinity, ...open.filter((mutant) => mutant.exchange !== exchange))
    judged.leftOut = judged.leftOut ? `${judged.leftOut}; ${reason}` : reason
  }

  /** Puts all mutants of this run back. */
  startAgain(): void {
    const { mutants } = this.judged
    mutants.length -= this.#tried.length
    for (const mutant of this.#tried) this.#known.forget(this.#version, mutant)
    this.open.unshift(...this.#tried)
    this.#tried = []
  }

  #judge({ exchange, what }: Mutant, fate: Fate): void {
    this.judged.mutants.push({ exchange, what, fate })
  }
}

const FATES: ReadonlySet<unknown> = new Set<Fate>(['assertion', 'requests', 'survived'])

/**
 * The results of earlier runs. They hold as long as a test, the files that it loads and its cassette do not change.
 * Kept outside git.
 */
export class KnownFates {
  readonly #file: string
  readonly #known: Map<string, Fate>

  /** @param forget whether earlier results are ignored */
  constructor(cwd: string, forget: boolean) {
    this.#file = join(cwd, CACHE_FOLDER, 'mutants.json')
    this.#known = new Map(forget ? [] : readFates(this.#file))
  }

  /** @param version changes with a test, the files that it loads and its cassette */
  get(version: string, mutant: Mutant): Fate | undefined {
    return this.#known.get(keyOf(version, mutant))
  }

  set(version: string, mutant: Mutant, fate: Fate): void {
    this.#known.set(keyOf(version, mutant), fate)
  }

  forget(version: string, mutant: Mutant): void {
    this.#known.delete(keyOf(version, mutant))
  }

  /** Writes the results. Where they cannot be written, the next run tries all mutants again. */
  save(): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeNote(this.#file, JSON.stringify(Object.fromEntries(this.#known)))
    } catch {}
  }
}

function keyOf(version: string, { exchange, what, response }: Mutant): string {
  return sha256(JSON.stringify([version, exchange, what, response])).slice(0, 32)
}

function readFates(file: string): Array<[string, Fate]> {
  try {
    const value = tryParseJson(readFileSync(file, 'utf8'))
    if (value === undefined || !isJsonObject(value)) return []
    return Object.entries(value).filter((entry): entry is [string, Fate] => FATES.has(entry[1]))
  } catch {
    return []
  }
}

/** The cassette folders of the projects of a run. Paths are relative to the working directory of the user. */
class CassettePlaces {
  readonly #cwd: string
  readonly #folders: Array<{ root: string; dir: string }>

  constructor(lines: readonly RunLine[], cwd: string) {
    this.#cwd = cwd
    this.#folders = lines.filter((line) => line.kind === 'project')
  }

  /** Reads a cassette; `undefined` where there is none. */
  read(path: string): Cassette | undefined {
    const { root, dir, inside } = this.#find(path)
    return new CassetteStore(root, dir, Infinity).load(inside)
  }

  /** Makes runs that get the folder replay another cassette in the place of one. */
  async standIn(folder: string, path: string, cassette: Cassette): Promise<void> {
    const { root, dir, inside } = this.#find(path)
    await new CassetteStore(standInFolder(folder, root, dir), '.', Infinity).save(inside, cassette)
  }

  #find(path: string): { root: string; dir: string; inside: string } {
    const file = resolve(this.#cwd, path)
    const { root, dir } = this.#folders.find((one) =>
      file.startsWith(resolve(one.root, one.dir) + sep),
    )!
    return { root, dir, inside: pathFrom(resolve(root, dir), file) }
  }
}
