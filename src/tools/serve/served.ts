import type { TestOptions } from '../../config/options.ts'
import { quoteWord, recording } from '../../text/command-line.ts'
import { parseTestOptions } from '../../config/parse-options.ts'
import { describeAnswers } from '../../runners/describe-answers.ts'
import type { OpenProgram } from '../../runners/open-program.ts'
import type { Terminal } from '../terminal/command.ts'
import {
  invalidCommand,
  type OptionValues,
  takesText,
  takesTexts,
  understand,
} from '../terminal/options.ts'

/** The options of a cassette that commands take, one value at a time. */
export const CASSETTE_OPTIONS = {
  mode: takesText('replay (the default), new, all, prompts or off; RECORD goes before it'),
  volatile: takesTexts(
    "a kind of volatile value, such as uuid or claude-code, or a pattern: '/run-\\d+/'",
  ),
  redact: takesTexts("a pattern of secrets: '/acct_\\w+/'"),
  hosts: takesTexts('a host of a model, such as llm.example.com'),
  unused: takesText('exchanges that nothing asked for: fail (the default) or warn'),
  repeats: takesText('equal prompts: strict (the default), last or cycle'),
}

/**
 * The options of a cassette that were given.
 *
 * @throws CassetteError `invalid-command` for what they may not be
 */
export function cassetteOptionsOf(command: string, values: OptionValues): TestOptions {
  const given = Object.entries(values).filter(([name]) => name in CASSETTE_OPTIONS)
  const read = given.map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(readPattern) : value,
  ])
  return understand(command, () => parseTestOptions(Object.fromEntries(read)))
}

/** A pattern between slashes, as JavaScript writes one; any other text is what it is. */
function readPattern(text: string): string | RegExp {
  const [, pattern, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? []
  if (pattern === undefined) return text
  try {
    return new RegExp(pattern, flags)
  } catch (error) {
    throw invalidCommand(`${text} is no pattern: ${(error as Error).message}`, { cause: error })
  }
}

/** The command that records the cassette again. `RECORD` replaces the option `--mode`. */
export function spellRecording(name: string, values: OptionValues, words: string[] = []): string {
  const given = Object.entries(values).filter(([option]) => option !== 'mode')
  const options = given.flatMap(([option, value]) =>
    [value].flat().map((one) => `--${option} ${quoteWord(String(one))}`),
  )
  const command = words.length > 0 ? ['--', ...words.map((word) => quoteWord(word))] : []
  return recording([`npx vitest-cassette ${name}`, ...options, ...command].join(' '))
}

/** What to look at where a program was expected to ask a model. */
const ASKED_NOTHING =
  'If it asks a model, it may ask at a host that is not known as that of a model (--hosts llm.example.com), or take neither ' +
  'the base URL nor the proxy of its environment (docs/transports.md, What cannot be guarded). What it sent then went out.'

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
  const isSilent = program.exchanges.length === 0 && program.attempt.config.mode !== 'off'
  const hint = isSilent && !failure ? `. ${ASKED_NOTHING}` : ''
  warn(colors.dim(`[vitest-cassette] ${path}: ${said}${hint}`))
  if (failure) warn(`${colors.red(failure.headline)}\n${failure.details}`)
  return failure === undefined
}
