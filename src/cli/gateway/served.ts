import type { CachingStrategy, Mode } from '../../config/mode.ts'
import { quoteWord, recording } from '../../config/command-line.ts'
import { describeAnswers } from '../../program/describe-answers.ts'
import type { OpenProgram } from '../../program/open-program.ts'
import type { Terminal } from '../terminal/command.ts'
import { takesText, textOf, type OptionValues } from '../terminal/options.ts'

export const MODE_OPTION = {
  mode: takesText('replay (the default), new, all, prompts or off; RECORD goes before it'),
}

/** The mode that the options name, if any. Its reader refuses an unknown one. */
export function modeOf(values: OptionValues): { mode?: Mode | CachingStrategy } {
  const mode = textOf(values, 'mode')
  return mode === undefined ? {} : { mode: mode as Mode }
}

/** The command that records the cassette again. `RECORD` replaces the option `--mode`. */
export function spellRecording(name: string, values: OptionValues, words: string[] = []): string {
  const given = Object.entries(values).filter(([option]) => option !== 'mode')
  const options = given.flatMap(([option, value]) =>
    [value].flat().map((one) => `--${option} ${quoteWord(String(one))}`),
  )
  const command = words.length > 0 ? ['--', ...words.map(quoteWord)] : []
  return recording([`npx vitest-cassette ${name}`, ...options, ...command].join(' '))
}

/**
 * Closes a cassette, and prints its verdict. Resolves to whether it is free of failures.
 *
 * @param failed why the recording must not become the cassette
 */
export async function closeWithVerdict(
  program: OpenProgram,
  path: string,
  { warn, colors }: Terminal,
  failed?: string,
): Promise<boolean> {
  const failure = await program.close(failed)
  const said = describeAnswers(program.exchanges.map(({ source }) => source))
  warn(colors.dim(`[vitest-cassette] ${path}: ${said}`))
  if (failure) warn(`${colors.red(failure.headline)}\n${failure.details}`)
  return failure === undefined
}
