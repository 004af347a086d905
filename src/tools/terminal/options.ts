import { type Stats, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { CassetteError } from '../../errors.ts'
import { defined } from '../../providers/fields.ts'
import { foldersUp } from '../../real/folders-up.ts'
import { closestTo } from '../../text/closest-names.ts'
import { layOutLine } from '../../text/printable.ts'

/** An option of a command, as `parseArgs` of `node:util` takes it, with its help. */
export interface Option {
  type: 'string' | 'boolean'
  multiple?: true
  short?: string
  /** Set for a flag that is on until `--no-…` turns it off. */
  isOn?: true
  /** Set for a file or folder: relative to where the user is, whatever folder the command works in. */
  path?: PathKind
  /** What it means if no text follows it. */
  alone?: string
  /** What the text has to be; any other is refused before the command runs. */
  takes?: Kind
  /** Absent for an option that is common to many commands. */
  help?: string
}

type Text = Option & { type: 'string' }
type Texts = Text & { multiple: true }
type Flag = Option & { type: 'boolean' }

/** The values of any options, as `parseArgs` returns them. */
export type OptionValues = Record<string, string | boolean | string[] | undefined>

export type ValuesOf<Options> = {
  [Name in keyof Options]?: Options[Name] extends Texts
    ? string[]
    : Options[Name] extends Flag
      ? boolean
      : string
}

export function takesText(help?: string, short?: string): Text {
  return defined({ type: 'string', help, short })
}

/** An option that takes the path of a file or folder. */
export function takesPath(path: PathKind, help: string, short?: string): Text {
  return { ...takesText(help, short), path }
}

/** An option that takes a path, and can be given several times. */
export function takesPaths(path: PathKind, help: string): Texts {
  return { ...takesTexts(help), path }
}

/** An option that takes a number, or one of a few words. */
export function takes(kind: Kind, help: string): Text {
  return { ...takesText(help), takes: kind }
}

export function takesTexts(help: string): Texts {
  return { type: 'string', multiple: true, help }
}

export function flag(help: string, short?: string): Flag {
  return defined({ type: 'boolean', help, short })
}

/** An option that is on until `--no-…` turns it off. */
export function noFlag(help: string): Flag {
  return { type: 'boolean', isOn: true, help }
}

/** The words of a command line, with the text that an option has where none follows it. */
export function withTexts(
  options: Readonly<Record<string, Option>>,
  words: readonly string[],
): string[] {
  return words.map((word, at) => {
    const alone = word.startsWith('--') ? options[word.slice(2)]?.alone : undefined
    const isAlone = words[at + 1]?.startsWith('-') ?? true
    return alone !== undefined && isAlone ? `${word}=${alone}` : word
  })
}

/** The text of an option, or `undefined` where it was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The texts of an option that can be given several times; none where it was not given. */
export function textOptions(values: OptionValues, name: string): string[] {
  return [values[name] ?? []].flat().map(String)
}

/** What a path leads to: a file to read, a file to write, a folder, or either. */
type PathKind = 'file' | 'new file' | 'folder' | 'any'

/** What an option takes: a kind of number, or one of these words. */
type Kind = keyof typeof NUMBERS | readonly string[]

const NUMBERS = {
  'a number': (number: number) => number >= 0,
  'a whole number above 0': (number: number) => number > 0 && Number.isInteger(number),
  'a whole number from 40': (number: number) => number >= 40 && Number.isInteger(number),
}

/**
 * Refuses a text that its option does not take.
 *
 * @throws CassetteError `invalid-command` that says what it takes.
 */
export function checkValues(
  options: Readonly<Record<string, Option>>,
  values: OptionValues,
  cwd: string,
): void {
  for (const [name, { takes: kind, path }] of Object.entries(options))
    for (const text of values[name] === undefined ? [] : textOptions(values, name)) {
      if (kind !== undefined) check(name, text, kind)
      const problem = path && problemOf(resolve(cwd, text), path)
      if (problem) throw invalidCommand(`--${name} ${layOutLine(text)}: ${problem}`)
    }
}

/** What is wrong with a path, if anything. */
function problemOf(path: string, kind: PathKind): string | undefined {
  const found = statOf(path)
  if (kind === 'file') {
    if (!found) return 'no file has this name.'
    return found.isDirectory() ? 'this is a folder. Name a file.' : undefined
  }
  if (found?.isDirectory())
    return kind === 'new file' ? 'this is a folder. Name a file.' : undefined
  if (found) return kind === 'folder' ? 'this is a file. Name a folder.' : undefined
  const above = foldersUp(dirname(path)).find((folder) => statOf(folder))
  return above !== undefined && !statOf(above)!.isDirectory()
    ? `${basename(above)} is a file, so nothing can be in it.`
    : undefined
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function check(name: string, text: string, kind: Kind): void {
  if (typeof kind !== 'string') {
    if (kind.includes(text)) return
    const [closest] = closestTo(text, kind)
    throw invalidCommand(
      `--${name} takes ${kind.join(', ')}, not "${layOutLine(text)}". Did you mean ${closest}?`,
    )
  }
  if (NUMBERS[kind](Number(text.trim() || NaN))) return
  throw invalidCommand(`--${name} takes ${kind}, not "${layOutLine(text)}".`)
}

/** The number that an option gives, or `undefined` where it was not given. */
export function numberOption(values: OptionValues, name: string): number | undefined {
  const text = textOption(values, name)
  return text === undefined ? undefined : Number(text)
}

/**
 * The amount that `--max-cost` names.
 *
 * @throws CassetteError `invalid-command` for any other text.
 */
export function readCap(text: string | undefined): number {
  const cap = Number(text?.replace(/^\$/, '') || NaN)
  if (cap >= 0) return cap
  throw invalidCommand('--max-cost takes an amount in US dollars, such as --max-cost 2.')
}

/** The word that an option gives, or the first of those that it takes. */
export function wordOf<Word extends string>(
  values: OptionValues,
  name: string,
  words: readonly Word[],
): Word {
  return words.find((word) => word === values[name]) ?? words[0]!
}

/** The error for a command line that is wrong; its command ends with code 2. */
export function invalidCommand(problem: string, options?: ErrorOptions): CassetteError {
  return new CassetteError('invalid-command', problem, options)
}

/** Reads options as a config has them. What is wrong with one is wrong with the command line. */
export function understand<Read>(command: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (!CassetteError.isInstance(error) || error.code !== 'invalid-option') throw error
    const [, ...problems] = error.message.split('\n').slice(0, -1)
    throw invalidCommand(`${command} does not understand:\n${problems.join('\n')}`)
  }
}
