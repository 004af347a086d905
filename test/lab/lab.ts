import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe } from 'vitest'
import { remember } from '../../src/remember.ts'
import type { Finding, Verification } from '../../src/tools/verify/verify-cassettes.ts'
import { CliProject } from '../tools/run-cli.ts'
import type { Echo } from '../upstream/echo-server.ts'
import type { Asked } from '../upstream/odd-server.ts'
import { readScenarios, type RunName } from './runs.ts'

/** An error as a reporter sees it. */
export interface Told {
  name: string
  message: string
  /** All that people see of it, without its stack. */
  text: string
  code?: string
}

/** A difference between what a test asked and what is recorded. */
export interface Change {
  /** Where it is: `model`, `messages[0].content`. */
  place: string
  before?: unknown
  after?: unknown
}

/** What became of a test. */
export interface LabTest {
  scenario: string
  file: string
  /** Its titles, with ` > ` between them. */
  title: string
  state: 'passed' | 'failed' | 'skipped' | 'pending'
  errors: Told[]
  /** What this package notes of it for reporters. */
  cassette: {
    replayed?: number
    recorded?: number
    misses?: number
    unused?: number
    kept?: number
    missed?: Array<{ url: string; exchange?: string; changes?: Change[] }>
    /** Errors of the provider that a retry overcame, and that are not recorded. */
    overcome?: number
    /** Recorded answers that are none of a model. */
    odd?: Array<{ kind: string; what?: string }>
    /** Why its recording is no longer valid. */
    invalid?: string[]
    forgiven?: Array<{ rule: string; places: string[]; requests: number }>
    /** The steps that speakers of the test answered, by speaker. */
    spoken?: Record<string, number>
    handOvers?: Array<{ test: string; what: string }>
    /** What is known of each exchange that was replayed. */
    saved?: Array<{ model?: string; usage?: object }>
    prices?: object
  }
}

/** What a run of the lab has written. */
export interface Lab {
  exitCode: number | null
  /** All that it printed, for all scenarios. */
  output: string
  tests: LabTest[]
  /** The errors of files outside of their tests. */
  ofFiles: Array<Told & { scenario: string; file: string }>
  /** The errors that no test and no file could report. */
  errors: Told[]
  /** Each scenario's files of recordings before and after it: the text of a cassette, the hash of another file. */
  before: Record<string, Record<string, string>>
  after: Record<string, Record<string, string>>
  /** When each of these files was last written. */
  writtenBefore: Record<string, Record<string, string>>
  writtenAfter: Record<string, Record<string, string>>
  /** What the odd server got from it. */
  asked: Asked[]
  /** What the echo server got while it ran; in replays two runs do at a time. */
  arrived: Echo['arrived']
  /** The ports of the upstream, which are others in each lab. */
  ports: string[]
}

/** What stands for the ports of the upstream in texts that are compared with golden files. */
const STEADY = ['1111', '2222', '3333', '4444']

const lab = (run: string): string => join(process.env.CASSETTE_LAB!, run)

const read: (run: string) => Lab = remember(
  (run) => JSON.parse(readFileSync(join(lab(run), 'lab.json'), 'utf8')) as Lab,
)

/** Declares the tests that read what came out of a scenario. */
export function scenario(name: string, declare: (made: (run: RunName) => Made) => void): void {
  describe(name, () => declare((run) => made(name, run)))
}

export const made = (name: string, run: RunName): Made => new Made(name, run)

/** The scenarios that take part in all of these runs. */
export function scenarioNames(runs: readonly RunName[]): string[] {
  const all = Object.entries(readScenarios())
  return all.filter(([, own]) => runs.every((run) => own.runs.includes(run))).map(([name]) => name)
}

/** What came out of a scenario in a run. */
export class Made {
  readonly tests: LabTest[]
  /** The errors of its files outside of their tests. */
  readonly ofFiles: Lab['ofFiles']
  /** The files of recordings, by their paths below their folder: the text of a cassette, the hash of another file. */
  readonly before: Record<string, string>
  readonly after: Record<string, string>
  /** Those of them that the run has written or removed, even where they are as they were. */
  readonly touched: string[]
  readonly asked: Asked[]
  readonly arrived: Echo['arrived']
  readonly #output: string
  readonly #ports: string[]
  readonly #folder: string
  readonly #title: string

  constructor(name: string, run: RunName) {
    const { tests, ofFiles, before, after, asked, arrived, output, ports } = read(run)
    const { writtenBefore, writtenAfter } = read(run)
    this.tests = tests.filter(({ scenario: one }) => one === name)
    this.before = before[name] ?? {}
    this.after = after[name] ?? {}
    const times = [writtenBefore[name] ?? {}, writtenAfter[name] ?? {}]
    const files = [...new Set(times.flatMap((one) => Object.keys(one)))]
    this.touched = files.filter((file) => times[0]![file] !== times[1]![file]).toSorted()
    this.asked = asked
    this.arrived = arrived
    this.#output = output
    this.#ports = ports
    this.ofFiles = ofFiles
      .filter(({ scenario: one }) => one === name)
      .map((error) => ({ ...error, text: this.#steady(error.text) }))
    this.#folder = join(lab(run), name)
    this.#title = `"${name}" in the run "${run}"`
    if (this.tests.length === 0) throw new Error(`No test of ${this.#title} has run.`)
  }

  /** The titles of its tests that ended so, sorted. */
  titles(state: LabTest['state']): string[] {
    return this.tests
      .filter((test) => test.state === state)
      .map(({ title }) => title)
      .toSorted()
  }

  /** The one test whose titles begin so. */
  test(title: string): LabTest {
    const found = this.tests.filter((test) => test.title.startsWith(title))
    if (found.length === 1) return found[0]!
    throw new Error(`${found.length} tests of ${this.#title} begin with "${title}".`)
  }

  /** The code of the one error of a test. */
  code(title: string): string | undefined {
    return this.#error(title).code
  }

  /** What people see of the one error of a test. */
  text(title: string): string {
    return this.#steady(this.#error(title).text)
  }

  #error(title: string): Told {
    const { errors } = this.test(title)
    if (errors.length === 1) return errors[0]!
    throw new Error(`"${title}" has ${errors.length} errors: ${this.#title}`)
  }

  /** The warnings of this package in the whole run that name the test, or the file, with this id. */
  warnings(id: string): string[] {
    const all = this.#output.match(/^\[vitest-cassette\] (?!\{).*(?:\n(?: {2}.*)?(?=\n))*/gm) ?? []
    return (
      all
        .filter((text) => text.includes(id))
        // The lines of the summary begin in the same way, and the run says what its workers have to say just before.
        .map((text) => this.#steady(text.replace(/\n+ {2}Cassettes {2}[^]*/, '').trimEnd()))
    )
  }

  /** What the one miss of a test differs in from the closest exchange: the place of each change. */
  changes(title: string): Change[] {
    const { missed = [] } = this.test(title).cassette
    if (missed.length === 1) return missed[0]!.changes ?? []
    throw new Error(`${missed.length} requests of "${title}" missed: ${this.#title}`)
  }

  /** How many requests all of its tests replayed. */
  get replayed(): number {
    return this.tests.reduce((sum, { cassette: { replayed = 0 } }) => sum + replayed, 0)
  }

  /** The paths of its cassettes below their folder. */
  get cassettes(): string[] {
    return Object.keys(this.after).filter((path) => path.endsWith('.json'))
  }

  /** The one cassette whose file name begins so. */
  cassette(slug: string): any {
    const found = this.cassettes.filter((path) => basename(path).startsWith(slug))
    if (found.length === 1) return this.json(found[0]!)
    throw new Error(`${found.length} cassettes of ${this.#title} begin with "${slug}".`)
  }

  /** The cassette at a path below their folder. */
  json(path: string): any {
    return JSON.parse(this.after[path]!)
  }

  /** Its exchanges. */
  exchanges(slug: string): any[] {
    return this.cassette(slug).exchanges
  }

  /** Its prompts. */
  prompts(slug: string): string[] {
    return this.exchanges(slug).map(({ prompt }) => prompt.text)
  }

  /** Runs `vitest-cassette` with these words in its folder. */
  async cli(...words: string[]): ReturnType<CliProject['run']> {
    const { code, out, problems } = await new CliProject(this.#folder).run(...words)
    return { code, out: this.#steady(out), problems: this.#steady(problems) }
  }

  /** What `vitest-cassette verify` finds in its recordings. */
  async findings(): Promise<Finding[]> {
    const { out } = await this.cli('verify', '--json')
    return (JSON.parse(out) as Verification).findings
  }

  /** A text without what is another in each lab. */
  #steady(text: string): string {
    const timeless = text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    return this.#ports.reduce(
      (steady, port, at) => steady.replaceAll(`:${port}`, `:${STEADY[at]}`),
      timeless,
    )
  }

  /** What the application kept under a name. */
  result(name: string): any {
    return JSON.parse(this.read(`results/${name}.json`))
  }

  /** The names under which it kept something, sorted. */
  get results(): string[] {
    const path = join(this.#folder, 'results')
    const files = existsSync(path) ? readdirSync(path) : []
    return files.map((file) => basename(file, '.json')).toSorted()
  }

  /** Whether a file of the scenario is there. */
  has(path: string): boolean {
    return existsSync(join(this.#folder, path))
  }

  /** A file of the scenario. */
  read(path: string): string {
    return readFileSync(join(this.#folder, path), 'utf8')
  }
}

/** The run of all scenarios: its exit code, and what it printed. */
export function whole(run: RunName): Lab {
  return read(run)
}
