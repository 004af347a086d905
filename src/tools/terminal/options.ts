import { CassetteError } from '../../errors.ts'
import { defined } from '../../providers/fields.ts'

/** An option of a command, as `parseArgs` of `node:util` takes it, with its help. */
export interface Option {
  type: 'string' | 'boolean'
  multiple?: true
  short?: string
  /** Set for a flag that is on until `--no-…` turns it off. */
  isOn?: true
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

/** The text of an option, or `undefined` where it was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The texts of an option that can be given several times; none where it was not given. */
export function textOptions(values: OptionValues, name: string): string[] {
  return [values[name] ?? []].flat().map(String)
}

/** What an option may take, by the words of its message. */
const NUMBERS = {
  'a number': (number: number) => number >= 0,
  'a whole number above 0': (number: number) => number > 0 && Number.isInteger(number),
}

/**
 * The number that an option gives, or `undefined` where it was not given.
 *
 * @throws CassetteError `invalid-command` for any other text.
 */
export function numberOption(
  values: OptionValues,
  name: string,
  kind: keyof typeof NUMBERS,
): number | undefined {
  const text = textOption(values, name)
  if (text === undefined) return undefined
  const number = Number(text.trim() || NaN)
  if (NUMBERS[kind](number)) return number
  throw invalidCommand(`--${name} takes ${kind}, not "${text}".`)
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

/**
 * The format that an option gives, or the first where it was not given.
 *
 * @throws CassetteError `invalid-command` for any other text.
 */
export function formatOf<Format extends string>(
  values: OptionValues,
  name: string,
  formats: readonly Format[],
): Format {
  const format = textOption(values, name) ?? formats[0]!
  const known = formats.find((one) => one === format)
  if (known) return known
  throw invalidCommand(
    `--${name} ${format} does not exist. The formats are: ${formats.join(', ')}.`,
  )
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
