import { relative, resolve, sep } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { CountedAttempt } from '../../validity/statistics.ts'
import type { CassetteMeta } from '../../host/count-asked.ts'

/** Counts how tests with a cassette end: once for a run, not in its workers. */
export class StatisticsReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const byRoot = Map.groupBy(modules, ({ project }) => project.config.root)
    for (const [root, ours] of byRoot) {
      const attempts = ours.flatMap((module) => attemptsIn(module, root))
      if (attempts.length === 0) continue
      const { addToStatistics } = await import('./at-run-end.ts')
      // They are a convenience: where nothing can be written, nothing is counted.
      await addToStatistics(root, attempts, new Date()).catch(() => {})
    }
  }
}

function attemptsIn(module: TestModule, root: string): CountedAttempt[] {
  const metas = [module.meta(), ...Array.from(module.children.allTests(), (test) => test.meta())]
  return metas.flatMap(({ cassette }) => (cassette && attemptOf(cassette, root)) ?? [])
}

function attemptOf(
  { cassette: shown, recording, passed }: CassetteMeta,
  root: string,
): CountedAttempt | undefined {
  // Tests name it from where the user stands.
  const cassette = relative(root, resolve(shown)).split(sep).join('/')
  return recording === undefined ? undefined : { cassette, recording, passed }
}
