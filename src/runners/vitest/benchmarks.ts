import { fileURLToPath } from 'node:url'
import type { TestProject, Vitest } from 'vitest/node'
import type { CassetteOptions } from '../../config/options.ts'
import { recordsAnswers } from '../../config/decide-mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { CassetteError, withFrames } from '../../errors.ts'
import { runsOlderBenchmarks } from './versions/run.ts'

const BENCH_ONCE = fileURLToPath(new URL('./bench-once.mjs', import.meta.url))

export function isBenchmark(project: TestProject, vitest: Vitest): boolean {
  return project.config.benchmark?.enabled === true || runsOlderBenchmarks(vitest)
}

/** The options of a project that runs benchmarks: each of its iterations asks the same. */
export function optionsOfBenchmark(options: CassetteOptions): CassetteOptions {
  return { repeats: 'cycle', ...options }
}

/**
 * Lets a recording run each benchmark once.
 *
 * @throws CassetteError `recording-refused` where Vitest cannot
 */
export function benchmarkOnce(
  project: TestProject,
  vitest: Vitest,
  { mode }: ResolvedConfig,
): void {
  if (!recordsAnswers(mode)) return
  if (runsOlderBenchmarks(vitest)) throw iteratesAlways()
  project.config.benchmark.provider = BENCH_ONCE
}

function iteratesAlways(): CassetteError {
  const error = new CassetteError(
    'recording-refused',
    'vitest bench of this Vitest asks the provider at each of its hundreds of iterations, and each would be paid for. Nothing was recorded.\n' +
      'From Vitest 5 on, a benchmark is run once to record it, and replayed at each iteration. Or measure with RECORD=off, which calls the providers.',
  )
  return withFrames(error, [])
}
