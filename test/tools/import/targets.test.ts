import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import type { ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'
import { type KnownTest, readMappings } from '../../../src/tools/import/targets.ts'

const store = new CassetteStore('/none', '__recordings__', 1e6)

function known(file: string, ...titles: string[]): KnownTest {
  const title = [file, ...titles].join(' > ')
  const path = `${file}/${titles.at(-1)}.json`
  return { file, titles, absolute: `/none/${file}`, store, path, shown: path, title }
}

const recording = (file: string, name?: string): ForeignRecording => ({
  file,
  format: 'har',
  ...(name === undefined ? {} : { name }),
  exchanges: [],
  leftOut: new Map(),
})

const TESTS = [
  known('a.test.ts', 'orders', 'lists'),
  known('b.test.ts', 'orders', 'lists'),
  known('b.test.ts', 'orders', 'lists all'),
]
const RECORDINGS = [recording('rec/a=b.har'), recording('rec/b.har', 'Suite/lists')]

test.for<[line: string, recording: number, test: number]>([
  ['rec/b.har=a.test.ts > orders > lists', 1, 0],
  ['/b.har = a.test.ts', 1, 0],
  ['Suite/lists=lists all', 1, 2],
  ['rec/a=b.har=a.test.ts', 0, 0],
  // The whole name of one is a piece of another.
  ['rec/b.har=b.test.ts > orders > lists', 1, 1],
])('%s', ([line, from, to]) => {
  expect(readMappings([line], RECORDINGS, TESTS)).toEqual([
    { recording: RECORDINGS[from], test: TESTS[to] },
  ])
})

const REFUSED: Array<[line: string, named: string]> = [
  ['rec/b.har', 'rec/b.har'],
  ['c.har=lists all', '"c.har"'],
  ['rec/b.har=lists', '"lists"'],
  ['=a.test.ts', '""'],
]

test.for(REFUSED)('%s is refused', ([line, named]) => {
  const read = (): unknown => readMappings([line], RECORDINGS, TESTS)
  expect(read).toThrow(coded('invalid-command'))
  expect(read).toThrow(named)
})

test('a refused line of a map says what it does not name', async () => {
  const told = REFUSED.map(async ([line]) => {
    const failure = await failureOf(() => readMappings([line], RECORDINGS, TESTS))
    return `${line}\n${failure}`
  })
  await expectGolden((await Promise.all(told)).join('\n\n'), 'refused')
})
