import { expect, test } from 'vitest'
import { isOptions } from '../../src/config/schema/is-options.ts'
import { optionsSchema } from '../../src/config/options.ts'
import { parseOptions, parseTestOptions } from '../../src/config/parse-options.ts'
import { recognizeOptions, recognizeTestOptions } from '../../src/config/check-options.ts'

const usual = {
  mode: 'both',
  dir: 'recordings',
  hosts: ['*.example.com'],
  allowHosts: [],
  keys: false,
  unused: 'warn',
  orphans: 'fail',
  compileCache: false,
  invalid: 'fail',
  recordErrors: true,
  repeats: 'cycle',
  unordered: false,
  retiredModels: ['claude-2*'],
  volatile: ['uuid', '$.metadata.user_id', /\d+px/, () => []],
  redact: [/[a-z]+@example\.com/, () => []],
  maxCassetteBytes: 1_000,
  faults: ['429 once', { delayMs: 3 }],
  images: { match: 'phash', threshold: 3 },
  prices: { 'my-model': { input: 1, output: 2, cacheRead: 0.1 } },
  params: { strategy: 'preset' },
  maxAge: '90 days',
  maxFailures: 3,
  whyInvalid: () => undefined,
}

const VALUES = [
  [undefined, null, true, false, -1, 0, 1, 1.5, Number.NaN, 10n, '', ' ', 'a', 'fail', 'warn'],
  ['replay', 'new', 'all', 'none', 'prompts', 'off', 'read', 'no', 'strict', 'last', '90 days'],
  [[], [''], ['a'], [1], [undefined], Array.from({ length: 1 }), ['uuid'], ['$'], ['$.a'], ['b c']],
  [[/a+/], [/a*/], [/./], [() => []], [null], [[]], /a+/, () => [], {}, { match: 'exact' }],
  [{ strategy: 'preset' }, { strategy: 'llm' }, ['429 once'], ['sometimes'], new Set(['a'])],
].flat() as unknown[]

const names = Object.keys(optionsSchema.shape)

function judge(options: unknown, parse: (options: unknown) => unknown): unknown {
  try {
    return parse(options)
  } catch {
    return undefined
  }
}

test('the usual options are recognised, alone and together, as the schema reads them', () => {
  expect(recognizeOptions(usual)).toEqual(parseOptions(usual))
  for (const [name, value] of Object.entries(usual))
    expect(recognizeOptions({ [name]: value })).toEqual({ [name]: value })
  expect(recognizeOptions(undefined)).toEqual({})
})

test('rules by their names are recognised as they are given', () => {
  const redact = {
    customer: /C-\d{6}/,
    account: { match: /K-\d{4}/g, check: 8 },
    keep: ['TENANT_KEY'],
  }
  expect(recognizeOptions({ redact })).toEqual(parseOptions({ redact }))
  expect(recognizeOptions({ redact })).toEqual({ redact })
})

test('what is recognised is valid by the schema too, whatever stands in whichever option', () => {
  let recognized = 0
  for (const name of [...names, 'modes', '__proto__', 'constructor']) {
    for (const value of VALUES) {
      const options = Object.fromEntries([[name, value]])
      const known = recognizeOptions(options)
      const ofTest = recognizeTestOptions(options)
      const isValid = optionsSchema.safeParse(options).success
      expect(isOptions(options), `${name}: ${String(value)}`).toBe(isValid)
      if (known) expect(known, name).toEqual(judge(options, parseOptions))
      if (ofTest) expect(ofTest, name).toEqual(judge(options, parseTestOptions))
      if (known) recognized++
    }
  }
  expect(recognized).toBeGreaterThan(40)
})

test.each([null, 'replay', [], new Map(), Object.create({ mode: 'replay' })])(
  'what is no plain object is left to the schema: %o',
  (options) => {
    expect(recognizeOptions(options)).toBeUndefined()
  },
)

test('what was recognised does not change with the lists and objects that it was read from', () => {
  const hosts = ['a.example.com']
  const prices = { 'my-model': { input: 1, output: 2 } }
  const recognized = recognizeOptions({ hosts, prices })!
  hosts.push('b.example.com')
  prices['my-model'].input = 3
  expect(recognized.hosts).toEqual(['a.example.com'])
  expect(recognized.prices).toEqual({ 'my-model': { input: 1, output: 2 } })
})

test('an option that is an object of a class is left to the schema', () => {
  class Images {
    match = 'exact'
  }
  expect(recognizeOptions({ images: new Images() })).toBeUndefined()
  expect(parseOptions({ images: new Images() })).toEqual({ images: { match: 'exact' } })
})

test('a test has no options of its project', () => {
  expect(recognizeTestOptions({ dir: 'recordings' })).toBeUndefined()
  expect(recognizeTestOptions({ repeats: 'last' })).toEqual({ repeats: 'last' })
})
