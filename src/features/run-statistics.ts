import { join } from 'node:path'
import * as z from 'zod/mini'
import type { RunStatistics } from '../config/options.ts'
import { CACHE_FOLDER } from '../config/paths.ts'
import { readFileSync, statSync } from '../real/files.ts'
import { replaceNote } from '../secrets/replace-note.ts'
import { withoutSecrets } from '../secrets/without-secrets.ts'

/** The statistics of runs, below the root of the project. They change with every run, so they are outside of git. */
const STATISTICS_FILE = `${CACHE_FOLDER}/statistics.json`

/** The number of recent failures that are kept for each cassette. */
const MAX_FAILURES = 3
const LONGEST_REASON = 300

/** The least recently used cassettes are dropped first. */
const MAX_CASSETTES = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/** Made only where there is a file: few projects have one. */
function schema() {
  const count = z.int().check(z.nonnegative())
  return z.strictObject({
    version: z.literal(1),
    cassettes: z.record(
      z.string(),
      z.strictObject({
        recording: z.string(),
        attempts: count,
        failures: count,
        failuresInARow: count,
        lastUsed: z.iso.datetime(),
        lastFailures: z.optional(
          z.array(z.strictObject({ at: z.iso.datetime(), reason: z.string() })),
        ),
        invalid: z.optional(z.array(z.string())),
      }),
    ),
  })
}

/** The statistics of one recording. */
export interface SeenRuns extends RunStatistics {
  /** Why the recording was no longer valid in the last run; absent where it was valid. */
  invalid?: string[]
}

/** Statistics begin anew for a new recording. `recording` is the timestamp of the cassette. */
type Entry = SeenRuns & { recording: string }

/** How an attempt of a test ended. */
export interface CountedAttempt {
  /** The path of the cassette, relative to the root. */
  cassette: string
  /** The timestamp of the cassette. */
  recording: string
  /** Absent where it failed only because its recording is invalid. */
  passed?: boolean
  /** Why it failed. */
  reason?: string
  /** Why its recording is no longer valid. */
  invalid?: string[]
}

/** How runs on this machine ended, by cassette. */
export class Statistics {
  readonly #entries: Map<string, Entry>

  constructor(entries: Iterable<[string, Entry]> = []) {
    this.#entries = new Map(entries)
  }

  /** The statistics of one recording of a cassette; `undefined` where there are none. */
  runsOf(cassette: string, recording: string): SeenRuns | undefined {
    const entry = this.#entries.get(cassette)
    if (entry?.recording !== recording) return undefined
    const { recording: _, ...runs } = entry
    return runs
  }

  add(attempt: CountedAttempt, now: Date): void {
    const { cassette, recording, passed, reason, invalid = [] } = attempt
    const before = this.runsOf(cassette, recording)
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

  toJSON(): z.infer<ReturnType<typeof schema>> {
    return { version: 1, cassettes: Object.fromEntries([...this.#entries].slice(-MAX_CASSETTES)) }
  }
}

/** The last file that was read; tests of one worker ask for the same. */
let known: { file: string; time: number; statistics: Statistics } | undefined

/** Reads the statistics of a project. They are empty if the file is missing, damaged or too large. */
export function readStatistics(root: string): Statistics {
  const file = join(root, STATISTICS_FILE)
  try {
    const { mtimeMs: time, size } = statSync(file)
    if (known?.file === file && known.time === time) return known.statistics
    if (size > MAX_BYTES) return new Statistics()
    // Earlier releases wrote what applications said of their keys.
    const text = withoutSecrets(readFileSync(file, 'utf8'))
    const { cassettes } = schema().parse(JSON.parse(text))
    const statistics = new Statistics(Object.entries(cassettes))
    known = { file, time, statistics }
    return statistics
  } catch {
    return new Statistics()
  }
}

/**
 * Adds the attempts of a run with one write, and returns the new statistics. Of two runs at once, one is not counted.
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
  await replaceNote(join(root, STATISTICS_FILE), JSON.stringify(statistics))
  return statistics
}
