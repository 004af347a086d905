import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import type { ForeignRecording } from '../../../src/tools/import/foreign.ts'
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

test.for<[line: string, said: string]>([
  ['rec/b.har', 'takes recording=test'],
  ['c.har=lists all', 'does not name one recording by "c.har"'],
  ['rec/b.har=lists', 'does not name one test by "lists"'],
  ['=a.test.ts', 'does not name one recording by ""'],
])('%s is refused', ([line, said]) => {
  expect(() => readMappings([line], RECORDINGS, TESTS)).toThrow(said)
})
