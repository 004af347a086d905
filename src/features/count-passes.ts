import { join } from '../real/path.ts'
import { writeAtomically } from '../cassette/write-file.ts'
import { CACHE_FOLDER } from '../config/paths.ts'
import { sha256 } from '../prompt/sha256.ts'
import { readFileSync, statSync } from '../real/files.ts'
import type { SlowCalls } from '../replay/slow-reason.ts'

/**
 * The passes of tests whose recordings are valid, below the root of the project: nearly all attempts that there are. A
 * line each has a digest of the recording, a count, the time of the last one, and how its calls were replayed:
 * `5 key-order=2` for five by their hash, and two that were not. No word of anybody is in it, so it is read and written
 * without what looks for secrets, which takes a tenth of a second for a thousand tests.
 */
export const PASSES_FILE: string = `${CACHE_FOLDER}/passes`

/** A line of the file. */
const PASSED =
  /^([0-9a-f]{16}) ([1-9]\d{0,14}) (\d{1,15})(?: (\d{1,9})((?: [a-z][\w:+-]{0,199}=\d{1,9})*))?$/

/** The least recently used recordings are dropped first. */
const MAX_RECORDINGS = 10_000
const MAX_BYTES = 1024 * 1024

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
  calls?: ReplayedCalls | undefined
}

/** How the calls of an attempt were replayed. */
export interface ReplayedCalls {
  byHash: number
  /** Why others were not; empty where there are none. */
  slow: SlowCalls
}

/** The passes of one recording. */
interface PassesOfOne {
  count: number
  /** Milliseconds since 1970. */
  last: number
  /** The calls of the last one, where it did nothing but replay. */
  calls?: ReplayedCalls | undefined
}

/** Whether all that there is to say of an attempt is that it passed. */
export function isPlainPass({ passed, invalid = [] }: CountedAttempt): boolean {
  return passed === true && invalid.length === 0
}

/** The passes since the last other attempt, by recording. */
export class Passes {
  readonly #known: Map<string, PassesOfOne>
  isChanged: boolean = false

  constructor(known: Iterable<[string, PassesOfOne]> = []) {
    this.#known = new Map(known)
  }

  of(cassette: string, recording: string): PassesOfOne | undefined {
    return this.#known.get(digestOf(cassette, recording))
  }

  add({ cassette, recording, calls }: CountedAttempt, now: Date): void {
    const { count = 0 } = this.take(cassette, recording) ?? {}
    // Deleted before, so that the map is in the order of use.
    const passes = { count: count + 1, last: now.getTime(), calls }
    this.#known.set(digestOf(cassette, recording), passes)
    this.isChanged = true
  }

  /** Removes the passes of a recording, and returns them. */
  take(cassette: string, recording: string): PassesOfOne | undefined {
    const digest = digestOf(cassette, recording)
    const known = this.#known.get(digest)
    if (this.#known.delete(digest)) this.isChanged = true
    return known
  }

  toString(): string {
    return [...this.#known]
      .slice(-MAX_RECORDINGS)
      .map(([digest, { count, last, calls }]) => `${digest} ${count} ${last}${spell(calls)}\n`)
      .join('')
  }
}

function spell(calls: ReplayedCalls | undefined): string {
  if (!calls) return ''
  const slow = Object.entries(calls.slow).map(([reason, count]) => ` ${reason}=${count}`)
  return ` ${calls.byHash}${slow.join('')}`
}

function digestOf(cassette: string, recording: string): string {
  return sha256(`${cassette}\n${recording}`).slice(0, 16)
}

/** Reads the passes of a project. There are none if the file is missing, damaged or too large. */
export function readPasses(root: string): Passes {
  const file = join(root, PASSES_FILE)
  try {
    if (statSync(file).size > MAX_BYTES) return new Passes()
    return new Passes(readFileSync(file, 'utf8').trimEnd().split('\n').map(readLine))
  } catch {
    return new Passes()
  }
}

function readLine(line: string): [string, PassesOfOne] {
  const [, digest, count, last, byHash, slow = ''] = PASSED.exec(line)!
  const reasons = Array.from(slow.matchAll(/ (\S+)=(\d+)/g), ([, reason, own]) => [
    reason,
    Number(own),
  ])
  const calls = { byHash: Number(byHash), slow: Object.fromEntries(reasons) as SlowCalls }
  const passes = { count: Number(count), last: Number(last) }
  return [digest!, byHash === undefined ? passes : { ...passes, calls }]
}

/** @throws the error of the file system; the old file is then untouched. */
export async function writePasses(root: string, passes: Passes): Promise<void> {
  await writeAtomically(join(root, PASSES_FILE), String(passes))
}

/**
 * Adds the attempts of a run in which nothing but passes was seen.
 *
 * @throws the error of the file system; the old file is then untouched.
 */
export async function countPasses(
  root: string,
  attempts: readonly CountedAttempt[],
  now: Date,
): Promise<void> {
  const passes = readPasses(root)
  for (const attempt of attempts) passes.add(attempt, now)
  await writePasses(root, passes)
}
