import type { Vitest } from 'vitest/node'
import { inMode, RECORD_COMMAND, recording } from '../../../text/command-line.ts'
import { processCommand } from '../../process-command.ts'
import { isBenchmark } from '../benchmarks.ts'
import { givenOptions } from '../versions/run.ts'

/** A command that runs tests which `vitest run`, and so `vitest-cassette record`, would not find. */
export interface OtherCommand {
  command: string
  /** Whether it takes the files and options of Vitest. */
  takesWords: boolean
}

export const BENCH: OtherCommand = { command: 'npx vitest bench --run', takesWords: true }

export function otherCommand(vitest: Vitest): OtherCommand | undefined {
  const { projects } = vitest
  const areBenchmarks = projects.length > 0 && projects.every((one) => isBenchmark(one, vitest))
  return areBenchmarks ? BENCH : programOf(vitest)
}

/**
 * The program that starts Vitest with a config that is in no file, or with files of its own, as evalite does; `undefined`
 * where Vitest is started by its own.
 */
export function programOf(
  vitest: Pick<Vitest, 'vite' | 'config'>,
  argv?: readonly string[],
): OtherCommand | undefined {
  const isFound = vitest.vite.config.configFile && !givenOptions(vitest).include
  const started = isFound ? undefined : processCommand(argv)
  if (!started || started.runner === 'vitest') return undefined
  return { command: started.command, takesWords: false }
}

/**
 * The command that records tests of a run.
 *
 * @param words what narrows it to them, quoted
 * @param which those that miss, unless all; another command has modes alone, and replays what does not miss
 */
export function commandFor(
  other: OtherCommand | undefined,
  words: readonly string[],
  which?: 'changed' | 'missing' | 'new' | 'prompts',
): string {
  if (!other) return [RECORD_COMMAND, ...(which ? [`--${which}`] : []), ...words].join(' ')
  const command = recording([other.command, ...(other.takesWords ? words : [])].join(' '))
  return which ? inMode(command, which === 'prompts' ? which : 'new') : command
}
