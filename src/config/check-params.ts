import { CassetteError } from '../errors.ts'

/** Values that run through a conversation, by name: `{ orderId: 'A-4711' }`. */
export type ParamValues = Readonly<Record<string, string | number>>

/** The names that a parameter can have. */
export const PARAM_NAME = /^[A-Za-z_]\w*$/

/** Shorter values occur everywhere by chance. */
const MIN_LENGTH = 3
const MIN_DIGITS = 4

/** Words that wire formats use themselves. */
const WIRE_WORDS = new Set(
  (
    'assistant auto call choices content data delta developer error event false function image index input json ' +
    'message messages model name none null object output parts prompt required response role stop stream system text ' +
    'token tokens tool tools true type usage user'
  ).split(' '),
)

/**
 * Adds the parameters that a test declares to those that it declared before.
 *
 * @throws CassetteError `invalid-option` for invalid names, for values that other text contains by chance, and for
 * two parameters with one value.
 */
export function addParams(before: ParamValues, values: ParamValues): ParamValues {
  const all = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(values)) {
    const fault = faultOf(name, value)
    if (fault) throw invalid(fault)
    const known = all.get(name)
    if (known !== undefined && String(known) !== String(value))
      throw invalid(`${name} is ${quote(known)} already, and cannot be ${quote(value)} as well`)
    const [twin] =
      [...all].find(([other, its]) => other !== name && String(its) === String(value)) ?? []
    if (twin !== undefined)
      throw invalid(
        `${twin} and ${name} are both ${quote(value)}, so a request cannot tell which one it holds. Give each a value of its own`,
      )
    all.set(name, value)
  }
  return Object.fromEntries(all)
}

function faultOf(name: string, value: unknown): string | undefined {
  if (!PARAM_NAME.test(name))
    return `${quote(name)} is no name. A name has letters, digits and _, and begins with no digit`
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
    return `${name} is neither a text nor a number`
  const text = String(value)
  if (text.trim() !== text) return `${name} begins or ends with white space`
  if (text.includes('{{') || text.includes('}}'))
    return `${name} is ${quote(value)}, and {{ and }} mark the place of a parameter`
  const isShort = text.length < MIN_LENGTH || (/^\d+$/.test(text) && text.length < MIN_DIGITS)
  if (isShort || WIRE_WORDS.has(text))
    return (
      `${name} is ${quote(value)}, which stands in other places by chance. ` +
      `Choose a value of ${MIN_LENGTH} characters or more (${MIN_DIGITS} digits) that is nothing else`
    )
  return undefined
}

function quote(value: unknown): string {
  return JSON.stringify(value)
}

function invalid(fault: string): CassetteError {
  return new CassetteError('invalid-option', `cassette.params({ … }): ${fault}.`)
}
