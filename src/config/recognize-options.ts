import { copyPlain } from '../json/json-value.ts'
import { isOptions } from './schema/is-options.ts'
import { isProjectOption, type CassetteOptions, type TestOptions } from './options.ts'

/**
 * Recognises valid options without their schema, which takes longer to load than most test files take to run. Returns
 * `undefined` for anything else; the schema then finds the faults, if any.
 */
export function recognizeOptions(options: unknown = {}): CassetteOptions | undefined {
  if (!isPlain(options) || !Object.values(options).every(canBeCopied) || !isOptions(options))
    return undefined
  const copied = Object.entries(options).map(([name, value]) => [name, copyOf(value)])
  return Object.fromEntries(copied) as CassetteOptions
}

/** The same for the options of one test. */
export function recognizeTestOptions(options: unknown): TestOptions | undefined {
  const recognized = recognizeOptions(options)
  return recognized && !Object.keys(recognized).some(isProjectOption) ? recognized : undefined
}

function canBeCopied(value: unknown): boolean {
  return typeof value !== 'object' || Array.isArray(value) || isPlain(value)
}

/** Copies a value, so that a later change of the user's lists and objects changes no options. */
function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : copyPlain(value)
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
