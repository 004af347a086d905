import { join } from '../real/path.ts'
import type { RunStatistics } from '../config/option-values.ts'
import { CACHE_FOLDER } from '../config/paths.ts'
import { readFileSync, statSync } from '../real/files.ts'
import { replaceNote } from '../secrets/replace-note.ts'
import { withoutSecrets } from '../secrets/without-secrets.ts'
import { isStatistics } from './statistics/is-statistics.ts'
import type { StoredStatistics } from './statistics/schema.ts'
import {
  type CountedAttempt,
  isPlainPass,
  Passes,
  PASSES_FILE,
  readPasses,
  writePasses,
} from './count-passes.ts'

/**
 * The statistics of runs, below the root of the project. They change with every run, so they are outside of git. Most
 * passes are counted in a file of their own: see `count-passes.ts`.
 */
const STATISTICS_FILE = `${CACHE_FOLDER}/statistics.json`

/** The number of recent failures that are kept for each cassette. */
const MAX_FAILURES = 3
const LONGEST_REASON = 300

/** The least recently used cassettes are dropped first. */
const MAX_CASSETTES = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/** The statistics of one recording. */
export interface SeenRuns extends RunStatistics {
  /** Why the recording was no longer valid in the last run; absent where it was valid. */
  invalid?: string[]
}

/** Statistics begin anew for a new recording. `recording` is the timestamp of the cassette. */
type Entry = SeenRuns & { recording: string }

/** What is known of a recording that no run has used. */
const UNSEEN: Entry = {
  recording: '',
  attempts: 0,
  failures: 0,
  failuresInARow: 0,
  lastUsed: new Date(0).toISOString(),
}

/** How runs on this machine ended, by cassette. */
export class Statistics {
  readonly #entries: Map<string, Entry>
  readonly passes: Passes

  /** @param passes those since the attempts that `entries` have counted */
  constructor(entries: Iterable<[string, Entry]> = [], passes: Passes = new Passes()) {
    this.#entries = new Map(entries)
    this.passes = passes
  }

  /** The statistics of one recording of a cassette; `undefined` where there are none. */
  runsOf(cassette: string, recording: string): SeenRuns | undefined {
    const entry = this.#entries.get(cassette)
    const passed = this.passes.of(cassette, recording)
    if (entry?.recording !== recording && !passed) return undefined
    const { recording: _, ...runs } = entry?.recording === recording ? entry : UNSEEN
    if (!passed) return runs
    const { invalid: __, ...before } = runs
    return {
      ...before,
      attempts: before.attempts + passed.count,
      failuresInARow: 0,
      lastUsed: new Date(passed.last).toISOString(),
    }
  }

  add(attempt: CountedAttempt, now: Date): void {
    if (isPlainPass(attempt)) return this.passes.add(attempt, now)
    const { cassette, recording, passed, reason, invalid = [] } = attempt
    const before = this.runsOf(cassette, recording)
    this.passes.take(cassette, recording)
    const { attempts = 0, failures = 0, failuresInARow = 0, lastFailures = [] } = before ?? {}
    const at = now.toISOString()
    const failed = reason === undefined ? [] : [{ at, reason: reason.slice(0, LONGEST_REASON) }]
    const known = [...lastFailures, ...failed].slice(-MAX_FAILURES)
    // Deleted first, so that the map is in the order of use.
    this.#entries.delete(cassette)
    this.#entries.set(cassette, {
      recording,
      attempts: attempts + 1,
      failures: failures + (passed === false ? 1 : 0),
      failuresInARow: passed ? 0 : failuresInARow + (passed === false ? 1 : 0),
      lastUsed: at,
      ...(known.length > 0 ? { lastFailures: known } : {}),
      ...(invalid.length > 0 ? { invalid } : {}),
    })
  }

  toJSON(): StoredStatistics {
    return { version: 1, cassettes: Object.fromEntries([...this.#entries].slice(-MAX_CASSETTES)) }
  }
}

/** What was read last; tests of one worker ask for the same. */
let known: { files: string; statistics: Statistics } | undefined

/** Reads the statistics of a project. They are empty if the files are missing, damaged or too large. */
export function readStatistics(root: string): Statistics {
  const all = [STATISTICS_FILE, PASSES_FILE].map((file) => join(root, file))
  const files = all.map((file) => `${file} ${timeOf(file)}`).join()
  if (known?.files === files) return known.statistics
  const statistics = new Statistics(readEntries(join(root, STATISTICS_FILE)), readPasses(root))
  known = { files, statistics }
  return statistics
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function readEntries(file: string): Array<[string, Entry]> {
  try {
    if (statSync(file).size > MAX_BYTES) return []
    // Earlier releases wrote what applications said of their keys.
    const text = withoutSecrets(readFileSync(file, 'utf8'))
    const stored: unknown = JSON.parse(text)
    return isStatistics(stored) ? Object.entries(stored.cassettes) : []
  } catch {
    return []
  }
}

/**
 * Adds the attempts of a run with one write of each file, and returns the new statistics. Of two runs at once, one is not
 * counted.
 *
 * @throws the error of the file system; the old file is then untouched.
 */
export async function addToStatistics(
  root: string,
  attempts: readonly CountedAttempt[],
  now: Date,
): Promise<Statistics> {
  const statistics = readStatistics(root)
  for (const attempt of attempts) statistics.add(attempt, now)
  if (statistics.passes.isChanged) await writePasses(root, statistics.passes)
  await replaceNote(join(root, STATISTICS_FILE), JSON.stringify(statistics))
  return statistics
}
