import { isVolatileRule } from './check-volatile.ts'
import { isProjectOption, type CassetteOptions, type TestOptions } from './options.ts'

/** What options say that say one of a few words. */
export const CHOICES = {
  mode: ['replay', 'new', 'all', 'prompts', 'off', 'read', 'write', 'both', 'no'],
  unused: ['fail', 'warn'],
  orphans: ['fail', 'warn'],
  invalid: ['fail', 'warn'],
  repeats: ['strict', 'last', 'cycle'],
} as const

type Judge = (value: unknown) => boolean

const isText: Judge = (value) => typeof value === 'string' && value !== ''
const isBoolean: Judge = (value) => typeof value === 'boolean'
const isRedactRule: Judge = (value) => value instanceof RegExp || typeof value === 'function'

/** The options that most have, and what is usual in each. */
const USUAL: Record<string, Judge> = {
  ...Object.fromEntries(Object.entries(CHOICES).map(([name, words]) => [name, isOneOf(words)])),
  dir: isText,
  hosts: allAre(isText),
  allowHosts: allAre(isText),
  retiredModels: allAre(isText),
  keys: isBoolean,
  recordErrors: isBoolean,
  unordered: isBoolean,
  volatile: allAre(isVolatileRule),
  redact: allAre(isRedactRule),
}

/**
 * Recognises options of the usual kind without their schema, which takes longer to load than most test files
 * take to run. `undefined` for all else, of which the schema says what is wrong, if anything is.
 */
export function recognizeOptions(options: unknown = {}): CassetteOptions | undefined {
  if (!isPlain(options)) return undefined
  const given = Object.entries(options)
  if (!given.every(([name, value]) => Object.hasOwn(USUAL, name) && USUAL[name]!(value)))
    return undefined
  const copied = given.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value])
  return Object.fromEntries(copied) as CassetteOptions
}

/** The same for the options of one test. */
export function recognizeTestOptions(options: unknown): TestOptions | undefined {
  const recognized = recognizeOptions(options)
  return recognized && !Object.keys(recognized).some(isProjectOption) ? recognized : undefined
}

function isOneOf(words: readonly string[]): Judge {
  return (value) => words.includes(value as string)
}

function allAre(judge: Judge): Judge {
  return (value) => Array.isArray(value) && Array.from(value as unknown[]).every(judge)
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
