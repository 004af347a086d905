import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathFrom } from '../../config/paths.ts'
import { CassettePlaces } from './cassette-places.ts'
import type { KnownFates } from './known-fates.ts'
import { readLines } from '../../attempt/run-channel.ts'
import type { MutantLine, TestLine } from './mutant-lines.ts'
import { canBeMutated, mutantsOf, rewritten, sample, withMutant } from './mutants.ts'
import { Rounds } from './rounds.ts'
import type { JudgedTest } from './score.ts'
import { Subject } from './subject.ts'

/** The options of judging tests. */
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

/** The results of all tests with LLM calls. */
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
    .toSorted((one, other) =>
      one.file === other.file
        ? (one.line ?? 0) - (other.line ?? 0)
        : one.file < other.file
          ? -1
          : 1,
    )
  const judged = asked.map((line) => judgeTest(line, places, judging))
  const subjects = judged.flatMap(({ subject }) => subject ?? [])
  await checkRewriting(subjects, places, judging)
  await tryMutants(subjects, places, judging)
  judging.known.save()
  const left = subjects.reduce((sum, { open }) => sum + open.length, 0)
  return { tests: judged.map(({ test }) => test), left }
}

/** The record of a test, with the mutants to try where it passes as recorded. */
function judgeTest(
  line: TestLine,
  places: CassettePlaces,
  judging: Judging,
): { test: JudgedTest; subject?: Subject } {
  const { title, cassette: path } = line
  const place = line.line === undefined ? {} : { line: line.line }
  const file = shown(line, judging)
  const test: JudgedTest = { file, ...place, title, cassette: path, mutants: [] }
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

/** Leaves out answers whose application fails once they are rewritten, even with the same content. */
async function checkRewriting(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const meant = subjects.filter(({ open }) => open.length > 0)
  if (meant.length === 0 || Date.now() >= judging.until) return
  const failing = async (tried: readonly Subject[], idOf: (one: Subject) => string | undefined) => {
    const lines = await runOnce(judging, filesOf(tried), async (folder) => {
      for (const one of tried) {
        const id = idOf(one)
        const cassette = rewritten(one.cassette, (exchange) => id === undefined || exchange === id)
        await places.standIn(folder, one.line.cassette, cassette)
      }
    })
    const ended = byCassette(lines)
    return tried.filter((one) => !ended.get(one.line.cassette)?.passed)
  }
  const doubtful = new Map(
    (await failing(meant, () => undefined)).map((one) => [
      one,
      [...new Set(one.open.map(({ exchange }) => exchange))],
    ]),
  )
  const rounds = Math.max(0, ...[...doubtful.values()].map((ids) => ids.length))
  for (let round = 0; round < rounds; round++) {
    const idOf = (one: Subject): string | undefined => doubtful.get(one)![round]
    const tried = [...doubtful.keys()].filter((one) => idOf(one) !== undefined)
    // Tried again one by one, so that no test fails for another of its file.
    for (let left = await failing(tried, idOf); left.length > 0;) {
      const alone = [...Map.groupBy(left, ({ line }) => line.file).values()].map(([one]) => one!)
      for (const one of await failing(alone, idOf))
        one.leaveOut(idOf(one)!, `its application needs more of ${idOf(one)} than its content`)
      left = left.filter((one) => !alone.includes(one))
    }
  }
}

async function tryMutants(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const files = [...Map.groupBy(subjects, ({ line }) => line.file).values()]
  const rounds = files.map((of) => new Rounds(of))
  const countOpen = (): number => subjects.reduce((sum, { open }) => sum + open.length, 0)
  const all = countOpen()
  for (;;) {
    const tried = rounds.map((one) => one.next())
    if (tried.flat().length === 0 || Date.now() >= judging.until) return
    judging.tell(all - countOpen(), all)
    const lines = await runOnce(judging, filesOf(tried.flat()), async (folder) => {
      for (const { cassette, next, line } of tried.flat())
        await places.standIn(folder, line.cassette, withMutant(cassette, next!))
    })
    for (const [index, one] of rounds.entries())
      if (tried[index]!.length > 0) one.end(tried[index]!, byCassette(lines))
  }
}

async function runOnce(
  { folder, run }: Judging,
  files: readonly string[],
  prepare: (folder: string) => Promise<void>,
): Promise<MutantLine[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await prepare(folder)
  await run(files)
  return readLines<MutantLine>(folder)
}

function testsIn(lines: readonly MutantLine[]): TestLine[] {
  return lines.filter((line) => line.kind === 'test')
}

function byCassette(lines: readonly MutantLine[]): Map<string, TestLine> {
  return new Map(testsIn(lines).map((line) => [line.cassette, line]))
}

function filesOf(subjects: readonly Subject[]): string[] {
  return [...new Set(subjects.map(({ line }) => line.file))]
}

function shown({ file }: TestLine, { cwd }: Judging): string {
  return pathFrom(cwd, resolve(file))
}
