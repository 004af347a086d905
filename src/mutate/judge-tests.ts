import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Cassette } from '../cassette/format/cassette.ts'
import { sha256 } from '../prompt/sha256.ts'
import { CassettePlaces } from './cassette-places.ts'
import type { KnownFates } from './known-fates.ts'
import { fateOf, readMutantLines, type MutantLine, type TestLine } from './mutant-lines.ts'
import type { Mutant } from './mutant.ts'
import { canBeMutated, mutantsOf, rewritten, withMutant } from './mutants.ts'
import { sample } from './sample.ts'
import type { JudgedTest } from './score.ts'

/** How tests are judged. */
export interface Judging {
  cwd: string
  /** Where cassettes stand in for others, and what became of tests is said. */
  folder: string
  /** Runs the tests of these files; at first, with none, of all that are meant. */
  run(files: readonly string[]): Promise<void>
  known: KnownFates
  /** How many answers are changed for each test, at most. */
  most: number
  seed: string
  /** Whether a test is meant, by its file and its cassette, from where the user stands. */
  isMeant(file: string, cassette: string): boolean
  /** In milliseconds since the epoch: no further run begins then. */
  until: number
  /** Hears how far it is. */
  tell(done: number, of: number): void
}

/** What became of all tests that asked a model. */
export interface Judgement {
  tests: JudgedTest[]
  /** Answers that were not changed, since the time was up. */
  left: number
}

/** A test that passes as it is recorded. */
interface Subject {
  judged: JudgedTest
  line: TestLine
  cassette: Cassette
  /** Tells it from what it was before. */
  version: string
  /** What is still to be tried. */
  open: Mutant[]
}

/** Changes the answers of tests one at a time, each test its own in each run, and says which tests noticed. */
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
  const subjects = asked.map((line) => subjectOf(line, places, judging))
  await checkRewriting(subjects, places, judging)
  await tryMutants(subjects, places, judging)
  judging.known.save()
  const left = subjects.reduce((sum, { open }) => sum + open.length, 0)
  return { tests: subjects.map(({ judged }) => judged), left }
}

function subjectOf(line: TestLine, places: CassettePlaces, judging: Judging): Subject {
  const { title, cassette: path } = line
  const place = line.line === undefined ? {} : { line: line.line }
  const file = shown(line, judging)
  const judged: JudgedTest = { file, ...place, title, cassette: path, mutants: [] }
  const cassette = places.read(path)
  if (!line.passed || !cassette) {
    judged.leftOut = line.passed ? 'it has no cassette' : 'it fails as it is'
    return { judged, line, cassette: cassette!, version: '', open: [] }
  }
  const cannot = cassette.exchanges.filter((exchange) => !canBeMutated(exchange))
  if (cannot.length > 0)
    judged.leftOut = `no other answer can be written for ${cannot.map(({ id }) => id).join(', ')}`
  const texts = line.files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
  const version = sha256(JSON.stringify([cassette.exchanges, ...texts.toSorted()]))
  const chosen = sample(mutantsOf(cassette), judging.most, judging.seed)
  const open = chosen.filter((mutant) => {
    const fate = judging.known.get(version, mutant)
    if (fate) judged.mutants.push({ exchange: mutant.exchange, what: mutant.what, fate })
    return !fate
  })
  return { judged, line, cassette, version, open }
}

/** An application that needs more of an answer than what it says fails for that, whatever it says. */
async function checkRewriting(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const meant = subjects.filter(({ open }) => open.length > 0)
  if (Date.now() >= judging.until) return
  const failing = async (tried: readonly Subject[], idOf: (one: Subject) => string | undefined) => {
    const lines = await runOnce(judging, filesOf(tried), async (folder) => {
      for (const one of tried) {
        const id = idOf(one)
        const cassette = rewritten(one.cassette, (exchange) => id === undefined || exchange === id)
        await places.standIn(folder, one.line.cassette, cassette)
      }
    })
    return tried.filter((one) => !ended(lines, one)?.passed)
  }
  const doubtful = meant.length > 0 ? await failing(meant, () => undefined) : []
  const ids = new Map(
    doubtful.map((one) => [one, [...new Set(one.open.map(({ exchange }) => exchange))]] as const),
  )
  const rounds = Math.max(0, ...[...ids.values()].map((all) => all.length))
  for (let round = 0; round < rounds; round++) {
    const tried = doubtful.filter((one) => ids.get(one)!.length > round)
    const idOf = (one: Subject): string => ids.get(one)![round]!
    for (const one of await failing(tried, idOf)) {
      const id = idOf(one)
      one.open = one.open.filter(({ exchange }) => exchange !== id)
      const reason = `its application needs more of ${id} than what it says`
      one.judged.leftOut = one.judged.leftOut ? `${one.judged.leftOut}; ${reason}` : reason
    }
  }
}

async function tryMutants(
  subjects: readonly Subject[],
  places: CassettePlaces,
  judging: Judging,
): Promise<void> {
  const all = subjects.reduce((sum, { open }) => sum + open.length, 0)
  let done = 0
  for (;;) {
    const tried = subjects.filter(({ open }) => open.length > 0)
    if (tried.length === 0 || Date.now() >= judging.until) return
    judging.tell(done, all)
    const lines = await runOnce(judging, filesOf(tried), async (folder) => {
      for (const { cassette, open, line } of tried)
        await places.standIn(folder, line.cassette, withMutant(cassette, open[0]!))
    })
    for (const one of tried) {
      const mutant = one.open.shift()!
      const line = ended(lines, one)
      // A test that does not end took its worker with it.
      const fate = line ? fateOf(line) : 'assertion'
      const { exchange, what } = mutant
      one.judged.mutants.push({ exchange, what, fate })
      judging.known.set(one.version, mutant, fate)
      done++
    }
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
  return readMutantLines(folder)
}

function testsIn(lines: readonly MutantLine[]): TestLine[] {
  return lines.flatMap((line) => (line.kind === 'test' ? line : []))
}

function ended(lines: readonly MutantLine[], { line }: Subject): TestLine | undefined {
  return testsIn(lines).findLast(({ cassette }) => cassette === line.cassette)
}

function filesOf(subjects: readonly Subject[]): string[] {
  return [...new Set(subjects.map(({ line }) => line.file))]
}

function shown({ file }: TestLine, { cwd }: Judging): string {
  return relative(cwd, resolve(file)).replaceAll('\\', '/')
}
