import * as z from 'zod/mini'
import { CassetteError } from '../errors.ts'
import { optionsSchema } from './options-schema.ts'
import { isProjectOption, type CassetteOptions, type TestOptions } from './options.ts'

// Without a language, zod says `Invalid input` to everything.
const english = z.locales.en().localeError

/**
 * Checks options that a user wrote.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseOptions(options: unknown): CassetteOptions {
  return parse(options, Object.keys(optionsSchema().shape), 'cassettes({ … })') as CassetteOptions
}

/**
 * Checks options that a user wrote for one test.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseTestOptions(options: unknown): TestOptions {
  const names = Object.keys(optionsSchema().shape).filter((name) => !isProjectOption(name))
  const checked = parse(options, names, 'useCassette({ … })') as CassetteOptions
  const wrong = Object.keys(checked).filter(isProjectOption)
  if (wrong.length === 0) return checked
  throw new CassetteError(
    'invalid-option',
    `A test has no ${wrong.join(', ')} of its own: set it in cassettes({ … }).\n` +
      `The options of a test are: ${names.join(', ')}.`,
  )
}

function parse(options: unknown, names: string[], caller: string): unknown {
  const result = optionsSchema().safeParse(options ?? {}, { error: english })
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${describeIssue(issue)}`)
  throw new CassetteError(
    'invalid-option',
    `${caller} does not understand its options:\n${problems.join('\n')}\n` +
      `The options are: ${names.join(', ')}.`,
  )
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => `${[...issue.path, key].join('.')}: there is no such option`)
      .join('\n  ')
  }
  if (issue.code === 'invalid_value')
    return `${path}: one of ${issue.values.map((value) => `'${String(value)}'`).join(', ')}`
  return `${path || 'options'}: ${issue.message}`
}
