import { expect, test } from 'vitest'
import { parseOptions, parseTestOptions } from '../../src/config/parse-options.ts'
import { recognizeOptions, recognizeTestOptions } from '../../src/config/recognize-options.ts'
import { optionsSchema } from '../../src/config/options-schema.ts'

const usual = {
  mode: 'both',
  dir: 'recordings',
  hosts: ['*.example.com'],
  allowHosts: [],
  keys: false,
  unused: 'warn',
  orphans: 'fail',
  invalid: 'fail',
  recordErrors: true,
  repeats: 'cycle',
  unordered: false,
  retiredModels: ['claude-2*'],
  volatile: ['uuid', '$.metadata.user_id', /\d+px/, () => []],
  redact: [/[a-z]+@example\.com/, () => []],
}

const VALUES = [
  [undefined, null, true, false, -1, 0, 1, 1.5, Number.NaN, 10n, '', ' ', 'a', 'fail', 'warn'],
  ['replay', 'new', 'all', 'none', 'prompts', 'off', 'read', 'no', 'strict', 'last', '90 days'],
  [[], [''], ['a'], [1], [undefined], Array.from({ length: 1 }), ['uuid'], ['$'], ['$.a'], ['b c']],
  [[/a+/], [/a*/], [/./], [() => []], [null], [[]], /a+/, () => [], {}, { match: 'exact' }],
  [{ strategy: 'preset' }, { strategy: 'llm' }, ['429 once'], ['sometimes'], new Set(['a'])],
].flat() as unknown[]

const names = Object.keys(optionsSchema().shape)

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

test('what is recognised is valid by the schema too, whatever stands in whichever option', () => {
  let recognized = 0
  for (const name of [...names, 'modes', '__proto__', 'constructor']) {
    for (const value of VALUES) {
      const options = Object.fromEntries([[name, value]])
      const known = recognizeOptions(options)
      const ofTest = recognizeTestOptions(options)
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

test('what was recognised does not change with the lists that it was read from', () => {
  const hosts = ['a.example.com']
  const recognized = recognizeOptions({ hosts })!
  hosts.push('b.example.com')
  expect(recognized.hosts).toEqual(['a.example.com'])
})

test('a test has no options of its project', () => {
  expect(recognizeTestOptions({ dir: 'recordings' })).toBeUndefined()
  expect(recognizeTestOptions({ repeats: 'last' })).toEqual({ repeats: 'last' })
})
