import { join } from 'node:path'
import { replaceNote } from '../secrets/notes/replace-note.ts'
import {
  readStatistics,
  STATISTICS_FILE,
  type CountedAttempt,
  type Statistics,
} from './run-statistics.ts'

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
