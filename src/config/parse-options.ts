import * as z from 'zod/mini'
import { CassetteError } from '../errors.ts'
import { isPattern } from '../text/is-pattern.ts'
import { faultOfRule, isVolatileRule } from './check-volatile.ts'
import { faultOfRedact, noRule } from './schema/check-redact.ts'
import { type Fault, isFault } from './fault.ts'
import { SERVER_NAME } from './hosts.ts'
import { type CachingStrategy, STRATEGY_MODES } from './mode.ts'
import {
  areRedactRules,
  areSpeakers,
  type CassetteOptions,
  type ImageOptions,
  isDays,
  isParamsStrategy,
  isProjectOption,
  isRegion,
  isThreshold,
  isWhyInvalid,
  type ParamsStrategy,
  type RedactOption,
  type SpeakerOption,
  type TestOptions,
  type WhyInvalid,
} from './options.ts'
import type { VolatileRule } from './volatile-rule.ts'

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
  return parseBySchema(optionsSchema(), withMode(options ?? {}), names, caller)
}

/** Reads `strategy`, as caches call it, as the mode. Beside a mode it stays an unknown option. */
function withMode(options: object): object {
  const { strategy, ...others } = options as CassetteOptions
  const isAlone = strategy !== undefined && others.mode === undefined
  return isAlone && Object.hasOwn(STRATEGY_MODES, strategy)
    ? { ...others, mode: strategy }
    : options
}

const thresholdSchema: z.ZodMiniType<number> = z.custom<number>(
  isThreshold,
  'a whole number from 0 to 64, the bits of a hash',
)

const regionSchema: z.ZodMiniType<number> = z.custom<number>(
  isRegion,
  'a whole number of pixels, from 1',
)

const imagesSchema: z.ZodMiniType<ImageOptions> = z.strictObject({
  match: z.enum(['exact', 'phash', 'ahash', 'ignore']),
  threshold: z.optional(thresholdSchema),
  region: z.optional(regionSchema),
})

let made: ReturnType<typeof make> | undefined

/** The schema of the options. It is made on first use, as few tests have options. */
export function optionsSchema(): ReturnType<typeof make> {
  return (made ??= make())
}

function make() {
  const volatileRule = z.custom<VolatileRule>(isVolatileRule, {
    error({ input }) {
      const fault = faultOfRule(input)!
      return typeof input === 'string' || isPattern(input) ? fault : noRule(input, fault)
    },
  })

  const fault = z.custom<Fault>(isFault, {
    error: ({ input }) =>
      `${JSON.stringify(input)} is no fault. Write '429 once', 'cut after event 3', 'delay 200ms', or an object with ` +
      'one of status (400 to 599), cutAfterEvent, delayMs; and with times, on, retryAfter where they are needed',
  })

  const days = z.custom<number | `${number} days`>(
    isDays,
    "a number of days, such as 90 or '90 days'",
  )

  const text = z.string().check(z.minLength(1))

  return z.partial(
    z.strictObject({
      mode: z.enum(['replay', 'new', 'all', 'prompts', 'off', 'read', 'write', 'both', 'no']),
      dir: text,
      hosts: z.array(text),
      allowHosts: z.array(text),
      network: z.enum(['open', 'closed']),
      mcp: z.array(z.string().check(z.regex(SERVER_NAME))),
      keys: z.boolean(),
      unused: z.enum(['fail', 'warn']),
      orphans: z.enum(['fail', 'warn']),
      compileCache: z.boolean(),
      report: z.union([z.boolean(), text]),
      recordErrors: z.boolean(),
      maxCassetteBytes: z.int().check(z.positive()),
      followLinks: z.boolean(),
      volatile: z.array(volatileRule),
      redact: z.custom<RedactOption>(areRedactRules, {
        error: ({ input }) => faultOfRedact(input)!,
      }),
      repeats: z.enum(['strict', 'last', 'cycle']),
      unordered: z.boolean(),
      faults: z.array(fault),
      pace: z.union([z.enum(['instant', 'recorded']), z.number().check(z.positive())]),
      images: imagesSchema,
      prices: pricesSchema,
      params: z.custom<ParamsStrategy>(
        isParamsStrategy,
        "{ strategy: 'preset' } or { strategy: 'llm', propose: async (prompt) => … }",
      ),
      speakers: z.custom<readonly SpeakerOption[]>(
        areSpeakers,
        "a list of { name, canHandle, handleStep }, each with a name of its own, and none called 'cassette' or 'live'",
      ),
      maxAge: days,
      maxFailures: z.int().check(z.nonnegative()),
      retiredModels: z.array(text),
      whyInvalid: z.custom<WhyInvalid>(isWhyInvalid),
      invalid: z.enum(['fail', 'warn']),
    }),
  )
}

const PROPOSE =
  "a test declares its parameters. For a model that proposes them: configureCassettes({ params: { strategy: 'llm', propose } })"

/** The settings of a cache of conversations, under the names that such caches use. */
export interface CachingSettings {
  /** `read` (replay), `write` (all), `both` (new), `no` (off). @default the value of `RECORD`, else `read` */
  strategy?: CachingStrategy
  /** The folder of the cassettes. @default '__recordings__' */
  cacheDir?: string
  /** How pictures are compared. */
  writingSettings?: null | {
    /** The method to compare pictures; `none` ignores them. @default 'phash' */
    visualVerificationMethod?: 'phash' | 'ahash' | 'none'
    /** The side in pixels of the square around a click. @default 100 */
    visualValidationRegionSize?: number
    /** Tests declare their parameters. A model that proposes them is an option of `configureCassettes`. */
    parameterIdentificationStrategy?: 'preset'
    /** Cassettes are named after their tests. */
    filename?: ''
  }
  /** How far pictures may differ. */
  executionSettings?: null | {
    /** Ignores pictures. @default false */
    skipVisualValidation?: boolean
    /** The number of 64 bits in which two pictures may differ. @default 20 */
    visualValidationThreshold?: number
    /** The application waits between its actions; a cassette does not. */
    delayTimeBetweenAction?: 0
  }
}

/**
 * Reads the settings of a cache as options, with its defaults for pictures.
 *
 * @throws CassetteError `invalid-option` that names each wrong setting, and where to set it instead.
 */
export function parseCachingSettings(settings: unknown): CassetteOptions {
  const { all, names } = schemas()
  const caller = 'cachingSettings({ … })'
  const read: CachingSettings = parseBySchema(all, settings ?? {}, names, caller)
  const { strategy, cacheDir, writingSettings, executionSettings } = read
  const { visualVerificationMethod = 'phash', visualValidationRegionSize = 100 } =
    writingSettings ?? {}
  const { skipVisualValidation = false, visualValidationThreshold = 20 } = executionSettings ?? {}
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

function schemas() {
  const writing = z.strictObject({
    visualVerificationMethod: z.optional(z.enum(['phash', 'ahash', 'none'])),
    visualValidationRegionSize: z.optional(regionSchema),
    parameterIdentificationStrategy: only('preset', () => PROPOSE),
    llmParameterIdApiProvider: only('', () => PROPOSE),
    filename: only(
      '',
      (name) =>
        `a test's cassette is named after the test, so that no two share one. A program names its own: openCassette({ path: '${name}' })`,
    ),
  })
  const execution = z.strictObject({
    skipVisualValidation: z.optional(z.boolean()),
    visualValidationThreshold: z.optional(thresholdSchema),
    delayTimeBetweenAction: only(
      0,
      () =>
        'a cassette answers at once, and your application waits between its actions. For slow answers: faults',
    ),
  })
  const all = z.strictObject({
    strategy: z.optional(z.enum(['read', 'write', 'both', 'no'])),
    cacheDir: z.optional(z.string().check(z.minLength(1))),
    // A cache writes `null` where there are no settings.
    writingSettings: z.nullish(writing),
    executionSettings: z.nullish(execution),
  })
  const namesOf = (name: string, { shape }: { shape: object }): string =>
    `${name} { ${Object.keys(shape).join(', ')} }`
  const names = [
    'strategy',
    'cacheDir',
    namesOf('writingSettings', writing),
    namesOf('executionSettings', execution),
  ]
  return { all, names }
}

/** A setting with one allowed value; the error for any other value names the remedy. */
function only<Value extends string | number>(value: Value, wayOut: (given: string) => string) {
  return z.optional(
    z.custom<Value>((given) => given === value, { error: ({ input }) => wayOut(String(input)) }),
  )
}

/** The price of a model, in US dollars for a million tokens. */
export interface Price {
  /** Tokens of the prompt. */
  input: number
  /** Tokens of the answer. */
  output: number
  /** Tokens of the prompt that the provider reads from its cache. @default the price of input */
  cacheRead?: number
  /** Tokens of the prompt that the provider writes to its cache. @default the price of input */
  cacheWrite?: number
}

const dollars = z.number().check(z.nonnegative())

/** Prices by model, as users write them. */
export const pricesSchema = z.record(
  z.string().check(z.minLength(1)),
  z.strictObject({
    input: dollars,
    output: dollars,
    cacheRead: z.optional(dollars),
    cacheWrite: z.optional(dollars),
  }),
)

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
  // Some say where below their place the fault is.
  if (/^[.:]/.test(issue.message)) return path + issue.message
  return `${path || 'options'}: ${issue.message}`
}
