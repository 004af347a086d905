import * as z from 'zod/mini'
import type { CachingStrategy } from './mode.ts'
import { regionSchema, thresholdSchema } from './options-schema.ts'
import type { CassetteOptions } from './options.ts'
import { parseBySchema } from './parse-by-schema.ts'

const PROPOSE =
  "a test declares its parameters. For a model that proposes them: configureCassettes({ params: { strategy: 'llm', propose } })"

/** The settings of a cache of conversations, under the names that such caches use. */
export interface CachingSettings {
  /** `read` (replay), `write` (all), `both` (new), `no` (off). @default the value of `RECORD`, else `read` */
  strategy?: CachingStrategy
  /** The folder of the cassettes. @default '__recordings__' */
  cacheDir?: string
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
  const read = parseBySchema(all, settings ?? {}, names, caller) as CachingSettings
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
