import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cassettePath } from '../../../src/cassette/disk/path.ts'
import { TestFiles } from '../../../src/cassette/disk/test-file.ts'

const parent = mkdtempSync(join(tmpdir(), 'vitest-cassette-test-file-'))
const root = join(parent, 'app')

afterAll(() => rmSync(parent, { recursive: true }))

test.each([
  'a.test.ts',
  'test/deep/a.test.ts',
  '../shared/a.test.ts',
  'Cafe\u0301.test.ts',
  'Caf\u00e9.test.ts',
  '[id]/what? is "this".test.ts',
  '_/_.test.ts',
  '…/....test.ts',
])('the test file %s is found from the path of its cassettes', (file) => {
  const path = cassettePath({ file, titles: ['asks'], ordinal: 0 })
  const place = join(root, file)
  expect(new TestFiles(root).has(path)).toBe(false)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, '')
  expect(new TestFiles(root).has(path)).toBe(true)
  rmSync(place)
  expect(new TestFiles(root).has(path)).toBe(false)
})

test('each folder is read once, however many cassettes lie in it', () => {
  const files = new TestFiles(root)
  const paths = ['one', 'two'].map((title) =>
    cassettePath({ file: 'late.test.ts', titles: [title], ordinal: 0 }),
  )
  mkdirSync(root, { recursive: true })
  expect(files.has(paths[0]!)).toBe(false)
  writeFileSync(join(root, 'late.test.ts'), '')
  expect(paths.map((path) => files.has(path))).toEqual([false, false])
})
