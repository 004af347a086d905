import { resolve } from 'node:path'
import type { TestModule } from 'vitest/node'
import { pathFrom } from '../../../config/paths.ts'
import type { CountedAttempt } from '../../../features/count-passes.ts'
import { endedTestsOf } from '../../run-watchers.ts'
import type { EndedRun } from './ended-run.ts'

/** Counts how tests with a cassette ended, once for a run. `show` prints the counts: most failures do not concern a recording. */
export async function countAttempts({ modules, isCounted }: EndedRun): Promise<undefined> {
  if (!isCounted) return
  for (const [root, ours] of Map.groupBy(modules, ({ project }) => project.config.root)) {
    const attempts = ours.flatMap((module) => attemptsIn(module, root))
    if (attempts.length === 0) continue
    const { countPasses, isPlainPass } = await import('./at-replay-end.ts')
    // Statistics are a convenience: if they cannot be written, nothing is counted.
    if (attempts.every(isPlainPass)) {
      await countPasses(root, attempts, new Date()).catch(() => undefined)
      continue
    }
    const { addToStatistics, withoutSecrets } = await import('./at-run-end.ts')
    const safe = attempts.map(({ reason, ...attempt }) => ({
      ...attempt,
      reason: reason && withoutSecrets(reason),
    }))
    await addToStatistics(root, safe, new Date()).catch(() => undefined)
  }
}

/** The attempts of a file that had a recording. */
function attemptsIn(module: TestModule, root: string): CountedAttempt[] {
  return endedTestsOf(module).flatMap(({ meta: { cassette: meta }, errors }) => {
    if (meta?.recording === undefined) return []
    const { recording, passed, invalid, byHash, slow = {} } = meta
    // The meta of a test names the cassette relative to the working directory.
    const cassette = pathFrom(root, resolve(meta.cassette))
    const reason = passed === false ? errors[0]?.message.trim().split('\n')[0] : undefined
    const calls = byHash === undefined ? undefined : { byHash, slow }
    return { cassette, recording, passed, invalid, reason: reason || undefined, calls }
  })
}
