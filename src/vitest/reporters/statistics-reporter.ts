import type { Reporter, TestModule } from 'vitest/node'
import type { CountedAttempt } from '../../validity/statistics.ts'
import type { CassetteMeta } from '../../host/count-asked.ts'

/** Counts how tests with a cassette end: once for a run, not in its workers. */
export class StatisticsReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const byRoot = Map.groupBy(modules, ({ project }) => project.config.root)
    for (const [root, ours] of byRoot) {
      const attempts = ours.flatMap(attemptsIn)
      if (attempts.length === 0) continue
      const { addToStatistics } = await import('./at-run-end.ts')
      // They are a convenience: where nothing can be written, nothing is counted.
      await addToStatistics(root, attempts, new Date()).catch(() => {})
    }
  }
}

function attemptsIn(module: TestModule): CountedAttempt[] {
  const metas = [module.meta(), ...Array.from(module.children.allTests(), (test) => test.meta())]
  return metas.flatMap(({ cassette }) => (cassette && attemptOf(cassette)) ?? [])
}

function attemptOf({ cassette, recording, passed }: CassetteMeta): CountedAttempt | undefined {
  return recording === undefined ? undefined : { cassette, recording, passed }
}
