import { copyPlain } from '../json/copy-plain.ts'
import { isOptions } from './is-options.ts'
import { isProjectOption, type CassetteOptions, type TestOptions } from './options.ts'

/**
 * Recognises valid options without their schema, which takes longer to load than most test files take to run.
 * `undefined` for all else, of which the schema says what is wrong, if anything is.
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

/** What is changed later in the lists and objects of a user changes no options. */
function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : copyPlain(value)
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
