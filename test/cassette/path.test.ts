import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import {
  cassettePath,
  cassettePathIn,
  cassettePaths,
  conversationId,
  isBelowFolder,
} from '../../src/cassette/paths.ts'

const place = (titles: string[], ordinal = 0, file = 'test/a.test.ts') => ({
  file,
  titles,
  ordinal,
})

test('a cassette lies below the name of its test file, named by the title of its test', () => {
  expect(cassettePath(place(['refunds', 'asks for the order number']))).toMatch(
    /^test\/a\.test\.ts\/asks-for-the-order-number-[0-9a-f]{10}\.json$/,
  )
  expect(conversationId(place(['refunds', 'asks']))).toBe('test/a.test.ts > refunds > asks')
})

test('what a file asks outside of its tests has a path that no test can have', () => {
  expect(cassettePath(place([]))).toBe('test/a.test.ts/_file.json')
})

test('titles that a slug would make one stay apart', () => {
  const titles = [['a', 'b > c'], ['a > b', 'c'], ['A', 'b > c'], ['a', 'b', 'c'], ['a b c']]
  expect(new Set(titles.map((title) => cassettePath(place(title)))).size).toBe(titles.length)
})

test('tests of one title are told apart by their order', () => {
  expect(cassettePath(place(['same'], 1))).not.toBe(cassettePath(place(['same'])))
})

test('the same title in two files has two paths', () => {
  expect(cassettePath(place(['same'], 0, 'a.test.ts'))).not.toBe(
    cassettePath(place(['same'], 0, 'b.test.ts')),
  )
})

test('the folder of a test file moves with its cassettes, whose names stay', () => {
  const name = (file: string): string => posix.basename(cassettePath(place(['same'], 0, file)))
  expect(name('a.test.ts')).toBe(name('packages/b/a.test.ts'))
  // A folder that cannot be called like its file says less than the file.
  expect(name('a:b.test.ts')).not.toBe(name('a_b.test.ts'))
})

test('a cassette that was named with its file in the hash is found, until the test has another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  const [today, before] = cassettePaths(place(['asks']))
  expect(today).not.toBe(before)
  expect(cassettePathIn(folder, place(['asks']))).toBe(today)
  for (const path of [before, today]) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), '{}')
    expect(cassettePathIn(folder, place(['asks']))).toBe(path)
  }
  rmSync(folder, { recursive: true })
})

test.for([
  'x'.repeat(300),
  '../../etc/passwd',
  'con',
  'NUL',
  'a/b\\c',
  '🎉',
  '  ',
  '..',
  'a:b*c?',
  '\u0000\u001b[31m',
  'ünïcödé',
  '%2e%2e%2f',
  '-',
  'a'.repeat(59) + '-b',
])('the title %j has a safe file name', (title) => {
  const name = cassettePath(place([title]))
    .split('/')
    .at(-1)!
  expect(name).toMatch(/^[a-z0-9][a-z0-9-]*-[0-9a-f]{10}\.json$/)
  expect(name.length).toBeLessThanOrEqual(76)
})

test('one title in two Unicode spellings is one title', () => {
  expect(cassettePath(place(['caf\u00e9']))).toBe(cassettePath(place(['cafe\u0301'])))
})

test('a test file outside the root does not lead outside the folder', () => {
  expect(cassettePath(place(['a'], 0, '../../b.test.ts'))).toMatch(/^_\/_\/b\.test\.ts\//)
})

test.each(['a.json', 'a b/ü.json', 'a.test.ts/asks-0123456789.json'])(
  '%j names a cassette below its folder',
  (path) => expect(isBelowFolder(path)).toBe(true),
)

test.each([
  '../a.json',
  'a/../../b.json',
  '/a.json',
  './a.json',
  'a//b.json',
  'C:/a.json',
  'a\\..\\b.json',
  '.git/a.json',
  'a\n.json',
  'a.txt',
  '',
])('%j does not', (path) => expect(isBelowFolder(path)).toBe(false))
