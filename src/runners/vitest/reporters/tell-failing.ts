import { resolve } from 'node:path'
import type { Colors } from 'picocolors/types.js'
import type { TestModule } from 'vitest/node'
import { pathFrom } from '../../../config/paths.ts'
import type { CountedAttempt } from '../../../features/count-passes.ts'
import type { Statistics } from '../../../features/run-statistics.ts'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import { endedTestsOf, summaryRows } from '../../run-watchers.ts'
import type { EndedRun } from './ended-run.ts'

/** Counts how tests with a cassette ended, once for a run, and names those that fail again. */
export async function tellFailing({ modules, isCounted, paint }: EndedRun): Promise<string[]> {
  const told: string[] = []
  if (!isCounted) return told
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
    const statistics = await addToStatistics(root, safe, new Date()).catch(() => undefined)
    const failing = statistics && renderFailing(safe, statistics, paint, root)
    if (failing) told.push(failing)
  }
  return told
}

/** The attempts of a file that had a recording. */
function attemptsIn(module: TestModule, root: string): CountedAttempt[] {
  return endedTestsOf(module).flatMap(({ meta: { cassette: meta }, errors }) => {
    if (meta?.recording === undefined) return []
    const { recording, passed, invalid } = meta
    // The meta of a test names the cassette relative to the working directory.
    const cassette = pathFrom(root, resolve(meta.cassette))
    const reason = passed === false ? errors[0]?.message.trim().split('\n')[0] : undefined
    return { cassette, recording, passed, invalid, reason: reason || undefined }
  })
}

const MAX_SHOWN = 3

/**
 * The lines of a run on cassettes whose test failed in it, and in the run before.
 *
 * @param root the folder that the attempts name their cassettes from
 */
export function renderFailing(
  attempts: readonly CountedAttempt[],
  statistics: Statistics,
  paint: Colors,
  root: string = resolve('.'),
): string | undefined {
  const failed = new Map(
    attempts.filter(({ passed }) => passed === false).map((one) => [one.cassette, one]),
  )
  const lines = Array.from(failed.values()).flatMap(({ cassette, recording }) => {
    const { failuresInARow = 0, attempts: all = 0 } = statistics.runsOf(cassette, recording) ?? {}
    const times = `failed ${failuresInARow} times in a row, of ${countOf(all, 'attempt')} since it was recorded`
    return failuresInARow < 2
      ? []
      : `${printable(pathFrom(resolve('.'), resolve(root, cassette)))}: ${times}`
  })
  if (lines.length === 0) return undefined
  const left = lines.length - MAX_SHOWN
  const more = left > 0 ? [`and ${left} more`] : []
  const shown = [...lines.slice(0, MAX_SHOWN), ...more].map((line) => paint.dim(line))
  const count = paint.yellow(`${countOf(lines.length, 'cassette')} not for the first time`)
  return summaryRows('Failing', [count, ...shown], paint)
}
