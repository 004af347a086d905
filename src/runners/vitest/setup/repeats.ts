import type { RunnerTestCase } from 'vitest'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { Verdict } from '../../../explain/judge-attempt.ts'

/** What became of the answers of the runs of a test so far. */
interface Runs {
  count: number
  /** Answers that this run of Vitest recorded, and that are in the cassette. */
  kept: number
  lost: number
}

const known = new WeakMap<RunnerTestCase, Runs>()

/**
 * Counts a run of a test that Vitest repeats. They share one cassette, which holds one of them: each recording replaces
 * the one before, and in replay all runs get the same answers.
 */
export function countRepeats(
  task: RunnerTestCase,
  { recorded, replayed }: Pick<CassetteMeta, 'recorded' | 'replayed'>,
  { save, park }: Pick<Verdict, 'save' | 'park'>,
  test: string,
): NonNullable<CassetteMeta['repeated']> {
  const runs = known.get(task) ?? { count: 0, kept: 0, lost: 0 }
  known.set(task, runs)
  runs.count++
  if (save) {
    const still = Math.min(runs.kept, replayed)
    runs.lost += runs.kept - still
    runs.kept = still + recorded
  } else if (!park) runs.lost += recorded
  return { test, runs: runs.count, lost: runs.lost }
}
