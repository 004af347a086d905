import { expect, test } from 'vitest'
import { parseCachingSettings, parseOptions } from '../../src/config/parse-options.ts'
import { expectGolden, failureOf } from '../golden.ts'
import { problemsOf } from './problems.ts'

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

const refused = [
  [{ strategy: 'append' }, / strategy: .*'read', 'write', 'both', 'no'/],
  [{ cacheDir: '' }, / cacheDir: /],
  [{ cache_dir: 'x' }, / cache_dir: .*: strategy, cacheDir/s],
  [{ writingSettings: { method: 'phash' } }, / writingSettings\.method: /],
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
    /writingSettings\.visualVerificationMethod: .*'phash', 'ahash', 'none'/,
  ],
  [
    { writingSettings: { visualValidationRegionSize: 0 } },
    /writingSettings\.visualValidationRegionSize: .* 1/,
  ],
  [
    { executionSettings: { visualValidationThreshold: 65 } },
    /executionSettings\.visualValidationThreshold: .* 0 .* 64/,
  ],
  [
    { writingSettings: { filename: 'login' } },
    /writingSettings\.filename: .* openCassette\(\{ path: 'login' \}\)/s,
  ],
  [
    { writingSettings: { parameterIdentificationStrategy: 'llm' } },
    /parameterIdentificationStrategy: .*params: \{ strategy: 'llm', propose \}/s,
  ],
  [
    { executionSettings: { delayTimeBetweenAction: 0.5 } },
    /executionSettings\.delayTimeBetweenAction: /,
  ],
] as const

test.for(refused)('%j is refused, and said why', ([settings, named]) => {
  expect(() => parseCachingSettings(settings)).toThrow(named)
  expect(() => parseCachingSettings(settings)).toThrow(/^cachingSettings\(/)
})

test('each refused caching setting has a reason', async () => {
  const problems = await problemsOf(
    refused.map(([settings]) => settings),
    parseCachingSettings,
  )
  await expectGolden(problems, 'refused-settings')
  const unknown = () => parseCachingSettings({ cache_dir: 'x' })
  await expectGolden(await failureOf(unknown), 'unknown-setting')
})
