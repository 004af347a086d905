import { expect, test } from 'vitest'
import { parseOptions, parseTestOptions } from '../../src/config/parse-options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { coded, expectGolden, failureOf, failuresOf } from '../golden.ts'
import { problemsOf } from './problems.ts'

const wrong = [
  [{ mod: 'all' }, /^.* mod: [^]*: mode, dir, hosts, /s],
  [{ faults: ['429 sometimes'] }, /faults\.0: "429 sometimes" .*'429 once'/],
  [{ faults: [{ status: 200 }] }, /faults\.0: .*200/],
  [{ faults: [{ status: 429, delayMs: 1 }] }, /faults\.0: .*429.*delayMs/],
  [{ faults: [{ cutAfterEvent: -1 }] }, /faults\.0: .*-1/],
  [{ faults: [{ delayMs: 1, often: 2 }] }, /faults\.0: .*often/],
  [{ mode: 'record' }, /mode: .*'replay', 'new', 'all', 'prompts', 'off', 'read', 'write'/],
  [{ unused: true }, /unused: .*'fail', 'warn'/],
  [{ dir: '' }, /dir: /],
  [{ hosts: 'localhost' }, /hosts: /],
  [{ maxCassetteBytes: -1 }, /maxCassetteBytes: /],
  [{ volatile: [1] }, /volatile\.0: 1 /],
  [{ volatile: ['uuid', {}] }, /volatile\.1: {} /],
  [{ volatile: [new Date(0)] }, /volatile\.0: 1970-01-01T00:00:00.000Z /],
  [{ redact: [null] }, /redact\.0: null .*JSON/],
  [{ redact: ['abc', new Map()] }, /redact\.0: 'abc' .*\n.*redact\.1: Map\(0\) /],
  [{ prices: { 'my-model': { input: -1, output: 2 } } }, /prices\.my-model\.input: /],
  [{ prices: { 'my-model': { input: 1 } } }, /prices\.my-model\.output: /],
  [{ images: 'phash' }, /images: /],
  [{ images: {} }, /images\.match: .*'exact', 'phash', 'ahash', 'ignore'/],
  [{ images: { match: 'none' } }, /images\.match: .*'exact'/],
  [{ images: { match: 'phash', threshold: 65 } }, /images\.threshold: .* 0 .* 64/],
  [{ images: { match: 'phash', threshold: -1 } }, /images\.threshold: .* 0 .* 64/],
  [{ images: { match: 'phash', threshold: 0.5 } }, /images\.threshold: .* 0 .* 64/],
  [{ images: { match: 'phash', region: 0 } }, /images\.region: .* 1/],
  [{ images: { match: 'phash', region: 2.5 } }, /images\.region: .* 1/],
  [{ images: { match: 'phash', size: 4 } }, /images\.size: /],
  [{ maxAge: '3 weeks' }, /maxAge: .*'90 days'/],
  [{ maxAge: 0 }, /maxAge: .*'90 days'/],
  [{ maxAge: Infinity }, /maxAge: .*'90 days'/],
  [{ maxFailures: 1.5 }, /maxFailures: /],
  [{ whyInvalid: 'old' }, /whyInvalid: /],
  [{ invalid: 'ignore' }, /invalid: .*'fail', 'warn'/],
  ['all', /options: /],
] as const

test.for(wrong)('the wrong value %j is named', ([options, named]) => {
  expect(() => parseOptions(options)).toThrow(coded('invalid-option'))
  expect(() => parseOptions(options)).toThrow(named)
})

test('each wrong value is refused with what to write', async () => {
  const problems = await problemsOf(
    wrong.map(([options]) => options),
    parseOptions,
  )
  await expectGolden(problems, 'wrong-values')
  await expectGolden(await failureOf(() => parseOptions({ mod: 'all' })), 'unknown-option')
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
  expect(() => parseOptions({ strategy, mode: 'replay' })).toThrow(/ strategy: /)
  expect(() => parseOptions({ strategy: 'all' })).toThrow(/ strategy: /)
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
    samples: 1,
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

test('a test has all options but those of the project', async () => {
  const options = { mode: 'new', unused: 'warn', hosts: ['llm.example.com'] } as const
  expect(parseTestOptions(options)).toEqual(options)
  const refused = [
    ['options of the project', () => parseTestOptions({ dir: 'x', keys: true })],
    ['a misspelt option', () => parseTestOptions({ mod: 'new' })],
  ] as const
  expect(refused[0][1]).toThrow(/ dir, keys .*: mode, hosts/s)
  expect(refused[1][1]).toThrow(/^useCassette\(.* mod: /s)
  await expectGolden(await failuresOf(refused), 'options-of-a-test')
})
