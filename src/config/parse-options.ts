import * as z from 'zod/mini'
import { CassetteError } from '../errors.ts'
import { closestTo } from '../text/closest-names.ts'
import { STRATEGY_MODES } from './mode.ts'
import {
  type CassetteOptions,
  optionsSchema,
  type ProjectOption,
  projectOptions,
  region,
  type TestOptions,
  threshold,
} from './options.ts'

/**
 * Checks options that a user wrote.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function parseOptions(options: unknown): CassetteOptions {
  return parse(options, Object.keys(optionsSchema.shape), 'cassettes({ … })')
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
  const names = Object.keys(optionsSchema.shape).filter((name) => !isProjectOption(name))
  const checked = parse(options, names, caller)
  const wrong = Object.keys(checked).filter(isProjectOption)
  if (wrong.length === 0) return checked
  throw new CassetteError(
    'invalid-option',
    `A test has no ${wrong.join(', ')} of its own: set it in cassettes({ … }).\n` +
      `The options of a test are: ${names.join(', ')}.`,
  )
}

function isProjectOption(name: string): name is ProjectOption {
  return projectOptions().some((one) => one === name)
}

/** The options that a user gave, without the defaults of the others. */
function parse(options: unknown, names: string[], caller: string): CassetteOptions {
  const given = withMode(options ?? {}) as Record<string, unknown>
  const filled = parseBySchema(optionsSchema, given, names, caller)
  return Object.fromEntries(Object.entries(filled).filter(([name]) => given[name] !== undefined))
}

/** Reads `strategy`, as caches call it, as the mode. Beside a mode it stays an unknown option. */
function withMode(options: object): object {
  const { strategy, ...others } = options as CassetteOptions
  const isAlone = strategy !== undefined && others.mode === undefined
  return isAlone && Object.hasOwn(STRATEGY_MODES, strategy)
    ? { ...others, mode: strategy }
    : options
}

const PROPOSE =
  "a test declares its parameters. For a model that proposes them: configureCassettes({ params: { strategy: 'llm', propose } })"

/** A setting with one allowed value; the error for any other value names the remedy. */
function only<Value extends string | number>(value: Value, wayOut: (given: string) => string) {
  return z.optional(
    z.custom<Value>((given) => given === value, { error: ({ input }) => wayOut(String(input)) }),
  )
}

const writingSettings = z.strictObject({
  /** The method to compare pictures; `none` ignores them. @default 'phash' */
  visualVerificationMethod: z.optional(z.enum(['phash', 'ahash', 'none'])),
  /** The side in pixels of the square around a click. @default 100 */
  visualValidationRegionSize: z.optional(region),
  /** Tests declare their parameters. A model that proposes them is an option of `configureCassettes`. */
  parameterIdentificationStrategy: only('preset', () => PROPOSE),
  /** No model proposes parameters here. */
  llmParameterIdApiProvider: only('', () => PROPOSE),
  /** Cassettes are named after their tests. */
  filename: only(
    '',
    (name) =>
      `a test's cassette is named after the test, so that no two share one. A program names its own: openCassette({ path: '${name}' })`,
  ),
})

const executionSettings = z.strictObject({
  /** Ignores pictures. @default false */
  skipVisualValidation: z.optional(z.boolean()),
  /** The number of 64 bits in which two pictures may differ. @default 20 */
  visualValidationThreshold: z.optional(threshold),
  /** The application waits between its actions; a cassette does not. */
  delayTimeBetweenAction: only(
    0,
    () =>
      'a cassette answers at once, and your application waits between its actions. For slow answers: faults',
  ),
})

const settingsSchema = z.strictObject({
  /** `read` (replay), `write` (all), `both` (new), `no` (off). @default the value of `RECORD`, else `read` */
  strategy: z.optional(z.enum(['read', 'write', 'both', 'no'])),
  /** The folder of the cassettes. @default '__recordings__' */
  cacheDir: z.optional(z.string().check(z.minLength(1))),
  /** How pictures are compared. */
  writingSettings: z.nullish(writingSettings),
  /** How far pictures may differ. */
  executionSettings: z.nullish(executionSettings),
})

// For its type, which TypeScript writes out in declarations: see `writtenOptions` in options.ts.
const readSettings = (settings: unknown) => settingsSchema.parse(settings)

/** The settings of a cache of conversations, under the names that such caches use. It writes `null` where there are none. */
export interface CachingSettings extends ReturnType<typeof readSettings> {}

/**
 * Reads the settings of a cache as options, with its defaults for pictures.
 *
 * @throws CassetteError `invalid-option` that names each wrong setting, and where to set it instead.
 */
export function parseCachingSettings(settings: unknown): CassetteOptions {
  const namesOf = (name: string, { shape }: { shape: object }): string =>
    `${name} { ${Object.keys(shape).join(', ')} }`
  const names = [
    'strategy',
    'cacheDir',
    namesOf('writingSettings', writingSettings),
    namesOf('executionSettings', executionSettings),
  ]
  const read = parseBySchema(settingsSchema, settings ?? {}, names, 'cachingSettings({ … })')
  const { strategy, cacheDir, writingSettings: writing, executionSettings: execution } = read
  const { visualVerificationMethod = 'phash', visualValidationRegionSize = 100 } = writing ?? {}
  const { skipVisualValidation = false, visualValidationThreshold = 20 } = execution ?? {}
  const isOff = skipVisualValidation || visualVerificationMethod === 'none'
  return {
    ...(strategy === undefined ? {} : { mode: strategy }),
    ...(cacheDir === undefined ? {} : { dir: cacheDir }),
    images: {
      match: isOff ? 'ignore' : visualVerificationMethod,
      region: visualValidationRegionSize,
      threshold: visualValidationThreshold,
    },
  }
}

// Without a locale, zod says `Invalid input` to everything.
export const english = z.locales.en().localeError

/**
 * Checks the options of a user by a schema.
 *
 * @param names the options that the message lists
 * @param caller the call that they were given to
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
function parseBySchema<Value>(
  schema: z.ZodMiniType<Value>,
  options: unknown,
  names: readonly string[],
  caller: string,
): Value {
  const result = schema.safeParse(options, { error: english })
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${describeIssue(issue, names)}`)
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

/** From here on, a name can be meant by another one: `mod` by `mode`. */
const ALIKE = 0.5

/** @param names the options that there are, each with what may follow it */
function describeIssue(issue: z.core.$ZodIssue, names: readonly string[]): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => {
        const known = issue.path.length > 0 ? [] : names.map((name) => name.split(' ')[0]!)
        const [meant] = closestTo(key, known, ALIKE)
        const place = [...issue.path, key].join('.')
        return `${place}: there is no such option${meant ? `. Did you mean ${meant}?` : ''}`
      })
      .join('\n  ')
  }
  if (issue.code === 'invalid_value')
    return `${path}: one of ${issue.values.map((value) => `'${String(value)}'`).join(', ')}`
  // Some say where below their place the fault is.
  if (/^[.:]/.test(issue.message)) return path + issue.message
  return `${path || 'options'}: ${issue.message}`
}
