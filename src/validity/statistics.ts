import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { CACHE_FOLDER } from '../config/folders.ts'
import type { RunStatistics } from '../config/why-invalid.ts'

/** Where runs leave what they counted, below the root of the project: what changes at every run is not for git. */
export const STATISTICS_FILE = `${CACHE_FOLDER}/statistics.json`

/** Older failures of a cassette say little of it. */
const MAX_FAILURES = 3
const LONGEST_REASON = 300

/** Those that were used longest ago go first. */
const MAX_CASSETTES = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/** Made where there is a file: few projects ask for it. */
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

/** What runs have seen of a recording. */
export interface SeenRuns extends RunStatistics {
  /** Why the last run took it for no longer valid; absent where that did not. */
  invalid?: string[]
}

/** Statistics begin anew where the cassette is another: `recording` is its timestamp. */
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

  /** What is known of one recording of a cassette. */
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

/** Reads the statistics of a project. A file that is missing, damaged or too large is none. */
export function readStatistics(root: string): Statistics {
  const file = join(root, STATISTICS_FILE)
  try {
    const { mtimeMs: time, size } = statSync(file)
    if (known?.file === file && known.time === time) return known.statistics
    if (size > MAX_BYTES) return new Statistics()
    const { cassettes } = schema().parse(JSON.parse(readFileSync(file, 'utf8')))
    const statistics = new Statistics(Object.entries(cassettes))
    known = { file, time, statistics }
    return statistics
  } catch {
    return new Statistics()
  }
}
