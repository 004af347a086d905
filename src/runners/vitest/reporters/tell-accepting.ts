import { quoteWord } from '../../../text/command-line.ts'
import { countOf } from '../../../text/count-of.ts'
import { endedTestsOf } from '../../run-watchers.ts'
import type { EndedRun } from './ended-run.ts'
import { commandFor, otherCommand } from './other-command.ts'
import { configChosen, fromHere } from './run-options.ts'

/**
 * Says how to accept prompts that changed, to those who update snapshots: by `-u`, or by `u` in watch mode. Neither
 * records, which costs money.
 */
export function tellAccepting({ vitest, modules }: EndedRun): string | undefined {
  const missesOf = (module: (typeof modules)[number]): number =>
    endedTestsOf(module).reduce((sum, { meta }) => sum + (meta.cassette?.misses ?? 0), 0)
  const missing = modules.filter((module) => missesOf(module) > 0)
  if (missing.length === 0) return undefined
  const count = missing.reduce((sum, module) => sum + missesOf(module), 0)
  const files = missing.map(({ moduleId }) => quoteWord(fromHere(moduleId)))
  const config = configChosen(vitest).map((word) => quoteWord(word))
  const other = otherCommand(vitest)
  return [
    `an update of snapshots records no answers: ${countOf(count, 'request')} missed as before.`,
    'To accept prompts that changed in place, and keep their recorded answers:',
    `  ${commandFor(other, [...files, ...config], 'prompts')}`,
    'To record new answers for the tests that miss:',
    `  ${commandFor(other, config, 'changed')}`,
  ].join('\n')
}
