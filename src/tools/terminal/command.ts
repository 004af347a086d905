import type { Colors } from 'picocolors/types.js'
import {
  flag,
  numberOption,
  type Option,
  type OptionValues,
  takes,
  type ValuesOf,
} from './options.ts'
import type { Progress } from './progress.ts'

/** The surroundings that a command uses, so that tests can replace them and read its output. */
export interface Terminal {
  cwd: string
  /** Makes a folder that of the process, so that what it starts works there too; absent in tests. */
  enter?(folder: string): void
  env: Readonly<Record<string, string | undefined>>
  /** The width of the terminal, or `undefined` where the output is piped. */
  columns: number | undefined
  colors: Colors
  /** Writes results, without a line break at the end. */
  write(text: string): void
  /** Writes problems. */
  warn(text: string): void
  progress: Progress
  /** Shows a long text page by page; absent without a terminal. */
  page?(text: string): Promise<void>
  /** Takes the keyboard, for single keys; absent without a terminal. */
  openKeys?(): Keys
  /** Asks a question that is answered with yes or no; absent without a terminal. */
  confirm?(question: string): Promise<boolean>
}

/** The keyboard of a terminal, as long as a command has it. */
export interface Keys {
  /** Waits for a key: a letter, `ctrl-c`, or another key as the terminal sends it. */
  next(): Promise<string>
  /** Gives the keyboard to another program for a while. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>
  /** Gives the keyboard back. */
  close(): void
}

/** 0: done. 1: some of it could not be read, or was not found. 2: the command line is wrong. */
export type ExitCode = 0 | 1 | 2

/** One command of `vitest-cassette`. */
export interface Command {
  name: string
  /** The arguments behind the name, for the help. */
  usage: string
  summary: string
  options: Readonly<Record<string, Option>>
  /** Passes the words to `run` unparsed, since they are for another program. */
  takesAll?: true
  /** It works in the folder where it is typed, and not in that of the project. */
  isHere?: true
  /** Resolves to an exit code: one of {@link ExitCode}, or that of a command that it ran. */
  run(positionals: string[], values: OptionValues, terminal: Terminal): Promise<number>
}

/** Declares a command, whose values have the types that its options say. */
export function defineCommand<Options extends Command['options']>(
  command: Omit<Command, 'options' | 'run'> & {
    options: Options
    run(words: string[], values: ValuesOf<Options>, terminal: Terminal): Promise<number>
  },
): Command {
  return command
}

/** The width of the output without a terminal. */
const DEFAULT_COLUMNS = 100

/** The fewest columns that a text is laid out in. */
const MIN_COLUMNS = 40

/** The option `--width`. */
export const WIDTH_OPTION = {
  width: takes('a whole number from 40', 'the width in columns (default: that of the terminal)'),
}

export function widthOf(terminal: Terminal, values: OptionValues): number {
  const { columns = DEFAULT_COLUMNS } = terminal
  return numberOption(values, 'width') ?? Math.max(columns, MIN_COLUMNS)
}

/** The width of a table. Its names are meant to be typed, so they are cut only in a terminal or for `--width`. */
export function tableWidthOf(terminal: Terminal, values: OptionValues): number {
  const isForEyes = terminal.columns !== undefined || values.width !== undefined
  return isForEyes ? widthOf(terminal, values) : Infinity
}

export function caution(text: string, { warn, colors }: Terminal): void {
  warn(colors.yellow(text))
}

const DONE = { Delete: 'deleted', Write: 'written' }

/** The option `--yes`. */
export const YES_OPTION = { yes: flag('do not ask before files are written or deleted', 'y') }

/** Asks before a command changes files, unless `--yes` answers already. Says so if nothing is changed. */
export async function isConfirmed(
  verb: keyof typeof DONE,
  what: string,
  values: OptionValues,
  terminal: Terminal,
): Promise<boolean> {
  if (values.yes === true || (await terminal.confirm?.(`${verb} ${what}?`))) return true
  const why = terminal.confirm
    ? '.'
    : `: without a terminal nobody can be asked. To ${verb.toLowerCase()}: the same with --yes`
  terminal.warn(`Nothing was ${DONE[verb]}${why}`)
  return false
}
