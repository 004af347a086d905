import { CassetteError } from '../errors.ts'
import { parseBySchema } from './parse-by-schema.ts'
import { optionsSchema } from './options-schema.ts'
import { STRATEGIES } from './mode.ts'
import { isProjectOption, type CassetteOptions, type TestOptions } from './options.ts'

export { parseCachingSettings } from './caching-settings.ts'

/**
 * Checks options that a user wrote.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseOptions(options: unknown): CassetteOptions {
  return parse(options, Object.keys(optionsSchema().shape), 'cassettes({ … })')
}

/**
 * Checks options that a user wrote for one test.
 *
 * @param caller the call that they were given to
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseTestOptions(
  options: unknown,
  caller: string = 'useCassette({ … })',
): TestOptions {
  const names = Object.keys(optionsSchema().shape).filter((name) => !isProjectOption(name))
  const checked = parse(options, names, caller)
  const wrong = Object.keys(checked).filter(isProjectOption)
  if (wrong.length === 0) return checked
  throw new CassetteError(
    'invalid-option',
    `A test has no ${wrong.join(', ')} of its own: set it in cassettes({ … }).\n` +
      `The options of a test are: ${names.join(', ')}.`,
  )
}

function parse(options: unknown, names: string[], caller: string): CassetteOptions {
  return parseBySchema(optionsSchema(), withMode(options ?? {}), names, caller) as CassetteOptions
}

/** Reads `strategy`, as caches call it, as the mode. Beside a mode it stays an unknown option. */
function withMode(options: object): object {
  const { strategy, ...others } = options as CassetteOptions
  const isAlone = strategy !== undefined && others.mode === undefined
  return isAlone && Object.hasOwn(STRATEGIES, strategy) ? { ...others, mode: strategy } : options
}
