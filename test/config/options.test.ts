import { expect, test } from 'vitest'
import { parseOptions, parseTestOptions } from '../../src/config/parse-options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'

test('an unknown option is named together with the options there are', () => {
  expect(() => parseOptions({ mod: 'all' })).toThrow(
    /mod: there is no such option[^]*The options are: mode, dir, hosts/,
  )
})

test.for([
  [{ faults: ['429 sometimes'] }, /faults.0: "429 sometimes" is no fault. Write '429 once'/],
  [{ faults: [{ status: 200 }] }, /is no fault/],
  [{ faults: [{ status: 429, delayMs: 1 }] }, /is no fault/],
  [{ faults: [{ cutAfterEvent: -1 }] }, /is no fault/],
  [{ faults: [{ delayMs: 1, often: 2 }] }, /is no fault/],
  [{ mode: 'record' }, /mode: one of 'replay', 'new', 'all', 'prompts', 'off', 'read', 'write'/],
  [{ unused: true }, /unused: one of 'fail', 'warn'/],
  [{ dir: '' }, /dir: /],
  [{ hosts: 'localhost' }, /hosts: /],
  [{ maxCassetteBytes: -1 }, /maxCassetteBytes: /],
  [
    { volatile: [1] },
    /volatile\.0: 1 is not a name, a JSON path, a regular expression or a function/,
  ],
  [{ volatile: ['uuid', {}] }, /volatile\.1: {} is not .*the runner has sent it to its workers/],
  [{ volatile: [new Date(0)] }, /volatile\.0: 1970-01-01T00:00:00.000Z is not a name/],
  [{ redact: [null] }, /redact\.0: null is not a regular expression or a function\. JSON makes/],
  [{ redact: ['abc', new URL('http://a')] }, /redact\.0: 'abc' is not .*\n.*redact\.1: URL /],
  [{ prices: { 'my-model': { input: -1, output: 2 } } }, /prices\.my-model\.input: /],
  [{ prices: { 'my-model': { input: 1 } } }, /prices\.my-model\.output: /],
  [{ images: 'phash' }, /images: /],
  [{ images: {} }, /images\.match: one of 'exact', 'phash', 'ahash', 'ignore'/],
  [{ images: { match: 'none' } }, /images\.match: one of /],
  [{ images: { match: 'phash', threshold: 65 } }, /images\.threshold: a whole number from 0 to 64/],
  [{ images: { match: 'phash', threshold: -1 } }, /images\.threshold: a whole number from 0 to 64/],
  [{ images: { match: 'phash', threshold: 0.5 } }, /images\.threshold: a whole number/],
  [{ images: { match: 'phash', region: 0 } }, /images\.region: a whole number of pixels, from 1/],
  [{ images: { match: 'phash', region: 2.5 } }, /images\.region: a whole number of pixels/],
  [{ images: { match: 'phash', size: 4 } }, /images\.size: there is no such option/],
  [{ maxAge: '3 weeks' }, /maxAge: a number of days, such as 90 or '90 days'/],
  [{ maxAge: 0 }, /maxAge: a number/],
  [{ maxAge: Infinity }, /maxAge: a number/],
  [{ maxFailures: 1.5 }, /maxFailures: /],
  [{ whyInvalid: 'old' }, /whyInvalid: /],
  [{ invalid: 'ignore' }, /invalid: one of 'fail', 'warn'/],
  ['all', /options: /],
] as const)('the wrong value %j is named', ([options, problem]) => {
  expect(() => parseOptions(options)).toThrow(problem)
})

test.for([
  ['read', 'replay'],
  ['write', 'all'],
  ['both', 'new'],
  ['no', 'off'],
] as const)('the strategy %s of a cache is the mode %s', ([strategy, mode]) => {
  const environment = { ci: false, recordInCi: false }
  expect(resolveConfig(parseOptions({ strategy }), environment)).toMatchObject({ mode })
  expect(resolveConfig(parseTestOptions({ strategy }), environment)).toMatchObject({ mode })
  expect(() => parseOptions({ strategy, mode: 'replay' })).toThrow(/strategy: there is no such/)
  expect(() => parseOptions({ strategy: 'all' })).toThrow(/strategy: there is no such/)
})

test('every option has a default', () => {
  expect(resolveConfig(parseOptions(undefined), { ci: false, recordInCi: false })).toEqual({
    mode: 'replay',
    dir: '__recordings__',
    hosts: [],
    allowHosts: [],
    network: 'open',
    mcp: [],
    keys: true,
    unused: 'fail',
    orphans: 'fail',
    compileCache: true,
    recordErrors: false,
    maxCassetteBytes: 33_554_432,
    followLinks: false,
    volatile: [],
    redact: [],
    images: { match: 'exact' },
    repeats: 'strict',
    unordered: true,
    faults: [],
    pace: 'instant',
    prices: {},
    params: { strategy: 'preset' },
    speakers: [],
    retiredModels: [],
    invalid: 'warn',
    renews: false,
  })
})

test.for([
  [90, 90],
  ['90 days', 90],
  ['1 day', 1],
] as const)('maxAge: %j is so many days', ([maxAge, days]) => {
  const options = parseOptions({ maxAge })
  expect(resolveConfig(options, { ci: false, recordInCi: false }).maxAge).toBe(days)
})

test.for<[record: string | undefined, ci: boolean, renews: boolean]>([
  [undefined, false, false],
  ['new', false, true],
  ['new', true, false],
  ['1', false, true],
  ['1', true, true],
  ['off', false, false],
])('RECORD=%s, on CI: %s: what is invalid is recorded again: %s', ([record, ci, renews]) => {
  expect(resolveConfig({}, { record, ci, recordInCi: true }).renews).toBe(renews)
})

test('a test has all options but those of the project', () => {
  const options = { mode: 'new', unused: 'warn', hosts: ['llm.example.com'] } as const
  expect(parseTestOptions(options)).toEqual(options)
  expect(() => parseTestOptions({ dir: 'x', keys: true })).toThrow(
    /^A test has no dir, keys of its own: set it in cassettes\(\{ … \}\)\.\nThe options of a test are: mode, hosts/,
  )
  expect(() => parseTestOptions({ mod: 'new' })).toThrow(/^useCassette\(\{ … \}\) does not/)
})
