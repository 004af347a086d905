import * as z from 'zod/mini'
import { CassetteError } from '../errors.ts'

// Without a locale, zod says `Invalid input` to everything.
export const english = z.locales.en().localeError

/**
 * Checks the options of a user by a schema.
 *
 * @param names the options that the message lists
 * @param caller the call that they were given to
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseBySchema<Value>(
  schema: z.ZodMiniType<Value>,
  options: unknown,
  names: readonly string[],
  caller: string,
): Value {
  const result = schema.safeParse(options, { error: english })
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${describeIssue(issue)}`)
  throw new CassetteError(
    'invalid-option',
    `${caller} does not understand its options:\n${problems.join('\n')}\n` +
      `The options are: ${names.join(', ')}.`,
  )
}

/** What a schema finds wrong first, with its place. */
export function firstProblem({ issues: [first] }: z.core.$ZodError): string {
  return `at /${first!.path.map(String).join('/')}: ${first!.message}`
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
