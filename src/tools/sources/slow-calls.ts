import { dirname, join } from 'node:path'
import { pathFrom } from '../../config/paths.ts'
import { readStatistics } from '../../features/run-statistics.ts'
import { SLOW_REASONS, type SlowReason } from '../../replay/slow-reason.ts'
import { quoteWord, RECORD_COMMAND } from '../../text/command-line.ts'
import { countOf } from '../../text/count-of.ts'
import type { Terminal } from '../terminal/command.ts'

/** How the calls of the last run of each test were replayed. */
interface LastRun {
  calls: number
  byHash: number
  /** Why the others were not, the most frequent reason first. */
  slow: Array<{ reason: SlowReason; calls: number; why: string; command?: string }>
}

type Plain = (typeof SLOW_REASONS)[number]

/** Each reason, as it follows a number of calls. */
const WHY: Record<Plain, string> = {
  'key-order': 'the keys of the body are in another order than recorded',
  spelling: 'the body is spelled differently: white space, escapes, numbers',
  address: 'the URL is spelled differently',
  host: 'another host of the same service, such as another region',
  volatile: 'a volatile value is another one',
  'call-id': 'the client makes new ids of tool calls in each run',
  redacted: 'the request has a credential',
  header: 'a header is stored as a digest',
  formatted: 'a formatter changed the cassette',
  edited: 'the cassette was edited',
  unsealed: 'the cassette has no seal',
  rules: 'the cassette was hashed by the rules of another release',
  parameter: 'the test has parameters',
  sample: 'the samples of the cassette are in another order than they were recorded',
  row: 'other tests of the file have the same title',
  mark: 'a person declared the recording invalid',
  link: 'the cassette is a symbolic link',
  written: 'a person wrote the response',
  imported: 'the exchange was imported',
  response: 'the response is an error, leads to another URL, or broke off',
  repeated: 'the exchange had answered before',
  order: 'they came in another order, which counts in this test',
  client: 'they were not sent as a text by fetch or node:http',
  beside: 'other tests ran at the same time',
  after: 'an earlier call of the test was not replayed by hash',
  unknown: 'the reason is unknown',
}

/** What can be done about some reasons, and how that begins. */
const REMEDIES = {
  respell: [
    'Store the requests as they are sent today, without calling a provider',
    `${RECORD_COMMAND} --prompts`,
  ],
  layOut: ['Restore the layout of the cassettes', 'npx vitest-cassette verify --fix-layout'],
  record: ['Restore the cassettes from git, or record their tests again', RECORD_COMMAND],
} as const

const REMEDY: Partial<Record<SlowReason, keyof typeof REMEDIES>> = {
  'key-order': 'respell',
  spelling: 'respell',
  address: 'respell',
  formatted: 'layOut',
  edited: 'record',
  unsealed: 'record',
  rules: 'record',
  mark: 'record',
  imported: 'record',
}

/** A command with more test files than this would be hard to read: without them it takes all. */
const MOST_FILES = 3

/** Adds up how the calls of tests were replayed in their last run on this machine. */
export class RunCalls {
  readonly #counts: Map<SlowReason, number> = new Map()
  readonly #files: Map<SlowReason, Set<string>> = new Map()
  readonly #cwd: string
  #byHash = 0

  constructor({ cwd }: Pick<Terminal, 'cwd'>) {
    this.#cwd = cwd
  }

  /**
   * @param root the root of the project
   * @param file the cassette, from there
   * @param path the cassette, below the cassette folder
   */
  add(root: string, file: string, path: string, timestamp: string): void {
    const { calls } = readStatistics(root).passes.of(file, timestamp) ?? {}
    if (!calls) return
    this.#byHash += calls.byHash
    for (const [name, count = 0] of Object.entries(calls.slow)) {
      const reason = isReason(name) ? name : 'unknown'
      this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
      const files = this.#files.get(reason) ?? new Set()
      this.#files.set(reason, files.add(pathFrom(this.#cwd, join(root, dirname(path)))))
    }
  }

  /** `undefined` where no run is known. */
  get lastRun(): LastRun | undefined {
    const known = [...this.#counts].toSorted(([, one], [, other]) => other - one)
    const calls = known.reduce((sum, [, count]) => sum + count, this.#byHash)
    if (calls === 0) return undefined
    const slow = known.map(([reason, count]) => {
      const command = this.#commandFor([reason])
      return { reason, calls: count, why: whyOf(reason), ...(command ? { command } : {}) }
    })
    return { calls, byHash: this.#byHash, slow }
  }

  /** The lines that say which calls were not replayed by hash, and what to do; none where all were. */
  tell({ colors }: Terminal): string[] {
    const { calls, slow = [] } = this.lastRun ?? {}
    if (slow.length === 0) return []
    const count = slow.reduce((sum, one) => sum + one.calls, 0)
    const were = count === 1 ? 'was' : 'were'
    const width = String(slow[0]!.calls).length
    return [
      `${count} of ${countOf(calls!, 'call')} in the last run of their tests ${were} not replayed by hash, which takes longer:`,
      ...slow.map((one) => `  ${String(one.calls).padStart(width)}  ${one.why}`),
      ...Object.entries(REMEDIES).flatMap(([remedy, [what]]) => {
        const ours = slow.map(({ reason }) => reason).filter((one) => REMEDY[one] === remedy)
        const command = this.#commandFor(ours)
        return command === undefined ? [] : [`${what}:`, `  ${colors.bold(command)}`]
      }),
    ]
  }

  /** Whether a command helps. */
  get canMend(): boolean {
    return [...this.#counts.keys()].some((reason) => REMEDY[reason])
  }

  #commandFor(reasons: readonly SlowReason[]): string | undefined {
    const [remedy] = reasons.flatMap((reason) => REMEDY[reason] ?? [])
    if (!remedy) return undefined
    const [, command] = REMEDIES[remedy]
    const files = new Set(reasons.flatMap((reason) => [...this.#files.get(reason)!]))
    if (remedy === 'layOut' || files.size > MOST_FILES) return command
    return [command, ...Array.from(files, (file) => quoteWord(file))].join(' ')
  }
}

function isReason(name: string): name is SlowReason {
  return name.startsWith('option:') || SLOW_REASONS.includes(name as Plain)
}

function whyOf(reason: SlowReason): string {
  if (!reason.startsWith('option:')) return WHY[reason as Plain]
  const names = reason.slice('option:'.length).split('+')
  return `the test has the ${names.length === 1 ? 'option' : 'options'} ${names.join(', ')}`
}
