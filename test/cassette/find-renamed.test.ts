import { expect, test } from 'vitest'
import { pairRenamed } from '../../src/cassette/orphans.ts'

test.for<[what: string, tests: string[], orphans: string[], pairs: string[]]>([
  ['one of each', ['a/x-1.json'], ['a/y-2.json'], ['a/y-2.json > a/x-1.json']],
  [
    'tests of a file that was renamed',
    ['new/x-1.json', 'new/y-2.json'],
    ['old/y-2.json', 'old/x-1.json'],
    ['old/x-1.json > new/x-1.json', 'old/y-2.json > new/y-2.json'],
  ],
  [
    'a file that was renamed, and one test in it',
    ['new/x-1.json', 'new/z-3.json'],
    ['old/x-1.json', 'old/y-2.json'],
    ['old/x-1.json > new/x-1.json', 'old/y-2.json > new/z-3.json'],
  ],
  [
    'tests of a suite that was renamed',
    ['a/finds-order-3.json', 'a/remembers-4.json'],
    ['a/remembers-1.json', 'a/finds-order-2.json'],
    ['a/finds-order-2.json > a/finds-order-3.json', 'a/remembers-1.json > a/remembers-4.json'],
  ],
  [
    'tests of one title in two suites',
    ['a/x-3.json', 'a/x-4.json'],
    ['a/x-1.json', 'a/x-2.json'],
    [],
  ],
  ['two tests for one', ['a/x-1.json', 'a/y-2.json'], ['a/z-3.json'], []],
  ['two for one test', ['a/x-1.json'], ['a/y-2.json', 'a/z-3.json'], []],
  ['two of the same titles', ['a/x-1.json'], ['b/x-1.json', 'c/x-1.json'], []],
  ['none', [], ['a/x-1.json'], []],
])('%s', ([, tests, orphans, pairs]) => {
  expect(pairRenamed(tests, orphans).map(({ from, to }) => `${from} > ${to}`)).toEqual(pairs)
})
