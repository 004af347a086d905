import { loadLater } from '../real/load-later.ts'
import type { CassetteOptions, TestOptions } from './options.ts'
import { isOptions, PROJECT_OPTIONS, RUN_OPTIONS } from './schema/is-options.ts'

/** Loads the schema of the options, which names each mistake. Right options need none. */
export const loadSchema = loadLater('./schema.mjs', () => import('./parse-options.ts'))

/**
 * Checks options that a user wrote.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function checkOptions(options: unknown): CassetteOptions {
  return recognizeOptions(options) ?? loadSchema().parseOptions(options)
}

/**
 * Checks options that a user wrote for one test.
 *
 * @param caller the call that they were given to
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function checkTestOptions(options: unknown, caller?: string): TestOptions {
  return recognizeTestOptions(options) ?? loadSchema().parseTestOptions(options, caller)
}

/**
 * Recognises valid options without their schema, which takes longer to load than most test files take to run. Returns
 * `undefined` for anything else; the schema then finds the faults, if any.
 */
export function recognizeOptions(options: unknown = {}): CassetteOptions | undefined {
  const canBeCopied = (value: unknown): boolean =>
    typeof value !== 'object' || Array.isArray(value) || isPlain(value)
  if (!isPlain(options) || !Object.values(options).every(canBeCopied) || !isOptions(options))
    return undefined
  // So that a later change of the user's lists and objects changes no options.
  const copied = Object.entries(options).map(([name, value]) => [name, copyOf(value)])
  return Object.fromEntries(copied) as CassetteOptions
}

/** The same for the options of one test. */
export function recognizeTestOptions(options: unknown): TestOptions | undefined {
  const recognized = recognizeOptions(options)
  return recognized && !PROJECT_OPTIONS.some((name) => name in recognized) ? recognized : undefined
}

/** A copy of lists and objects. What else they hold stays what it is, such as the expression of a rule. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, copyOf)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one)]))
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

/** The options that only the plugin can set: those of a run, and the folder of the cassettes. */
export function pluginOptionsIn(options: CassetteOptions): string[] {
  return ['dir', ...RUN_OPTIONS].filter((name) => name in options)
}

/** True for an option that can be any text, so that its value is a word of the user. */
export function takesAnyText(option: string): boolean {
  return isOptions({ [option]: 'any text' })
}
