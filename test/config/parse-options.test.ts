import { expect, expectTypeOf, test } from 'vitest'
import type * as z from 'zod/mini'
import type { CassetteOptions } from '../../src/config/options.ts'
import {
  optionsSchema,
  parseCachingSettings,
  parseOptions,
} from '../../src/config/parse-options.ts'

test('the schema of the options takes what their types take, and nothing else', () => {
  type Options = Required<z.infer<ReturnType<typeof optionsSchema>>>
  expectTypeOf<Options>().toEqualTypeOf<Required<Omit<CassetteOptions, 'strategy'>>>()
  expect(optionsSchema().safeParse({}).success).toBe(true)
})

test('the defaults are those of visual verification, and nothing goes live', () => {
  const options = { images: { match: 'phash', region: 100, threshold: 20 } }
  expect(parseCachingSettings({})).toEqual(options)
  expect(parseOptions(parseCachingSettings(undefined))).toEqual(options)
})

test.for([
  [{ strategy: 'both' }, { mode: 'both' }],
  [{ cacheDir: '.askui_cache' }, { dir: '.askui_cache' }],
  [
    { writingSettings: { visualVerificationMethod: 'ahash', visualValidationRegionSize: 40 } },
    { images: { match: 'ahash', region: 40, threshold: 20 } },
  ],
  [
    { executionSettings: { visualValidationThreshold: 64 } },
    { images: { match: 'phash', region: 100, threshold: 64 } },
  ],
  [
    { writingSettings: { visualVerificationMethod: 'none' } },
    { images: { match: 'ignore', region: 100, threshold: 20 } },
  ],
  [
    { executionSettings: { skipVisualValidation: true } },
    { images: { match: 'ignore', region: 100, threshold: 20 } },
  ],
  [{ writingSettings: { parameterIdentificationStrategy: 'preset' } }, {}],
  [{ writingSettings: { filename: '' } }, {}],
  [{ executionSettings: { delayTimeBetweenAction: 0 } }, {}],
  [{ writingSettings: null, executionSettings: null }, {}],
] as const)('%j', ([settings, options]) => {
  const read = parseCachingSettings(settings)
  expect(read).toMatchObject(options)
  expect(parseOptions(read)).toEqual(read)
})

test.for([
  [{ strategy: 'append' }, /strategy: one of 'read', 'write', 'both', 'no'/],
  [{ cacheDir: '' }, /cacheDir: /],
  [{ cache_dir: 'x' }, /cache_dir: there is no such option\nThe options are: strategy, cacheDir/],
  [{ writingSettings: { method: 'phash' } }, /writingSettings\.method: there is no such option/],
  [
    { writingSettings: { visual_verification_method: 'phash' } },
    /writingSettings \{ visualVerificationMethod, /,
  ],
  [
    { writingSettings: { llmParameterIdApiProvider: 'askui' } },
    /llmParameterIdApiProvider: .*params: \{ strategy: 'llm', propose \}/s,
  ],
  [
    { writingSettings: { visualVerificationMethod: 'dhash' } },
    /writingSettings\.visualVerificationMethod: one of 'phash', 'ahash', 'none'/,
  ],
  [
    { writingSettings: { visualValidationRegionSize: 0 } },
    /visualValidationRegionSize: a whole number of pixels, from 1/,
  ],
  [
    { executionSettings: { visualValidationThreshold: 65 } },
    /executionSettings\.visualValidationThreshold: a whole number from 0 to 64/,
  ],
  [
    { writingSettings: { filename: 'login' } },
    /filename: a test's cassette is named after the test.* openCassette\(\{ path: 'login' \}\)/s,
  ],
  [
    { writingSettings: { parameterIdentificationStrategy: 'llm' } },
    /parameterIdentificationStrategy: .*params: \{ strategy: 'llm', propose \}/s,
  ],
  [
    { executionSettings: { delayTimeBetweenAction: 0.5 } },
    /delayTimeBetweenAction: .*your application waits between its actions/s,
  ],
] as const)('%j is refused, and said why', ([settings, problem]) => {
  expect(() => parseCachingSettings(settings)).toThrow(problem)
  expect(() => parseCachingSettings(settings)).toThrow(/^cachingSettings\(\{ … \}\) does not/)
})
