import { invalidCommand, textOf, type OptionValues } from './command.ts'

/** What an option may take, by the words of its message. */
const KINDS = {
  'a number': (number: number) => number >= 0,
  'a whole number above 0': (number: number) => number > 0 && Number.isInteger(number),
}

/**
 * The number that an option gives, or `undefined` where it was not given.
 *
 * @throws CassetteError `invalid-command` for any other text.
 */
export function numberOf(
  values: OptionValues,
  name: string,
  kind: keyof typeof KINDS,
): number | undefined {
  const text = textOf(values, name)
  if (text === undefined) return undefined
  const number = Number(text.trim() || NaN)
  if (KINDS[kind](number)) return number
  throw invalidCommand(`--${name} takes ${kind}, not "${text}".`)
}
