import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cassettePath } from '../../src/cassette/paths.ts'
import { TestFiles } from '../../src/cassette/orphans.ts'
import { refuseSharedName } from '../../src/attempt/refuse-recording.ts'

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

test.each([
  [['caf\u00e9.test.ts', 'cafe\u0301.test.ts'], ['asks'], 2],
  [['caf\u00e9.test.ts', 'cafe\u0301.test.ts'], [], 2],
  [['d\u00e9/x.test.ts', 'de\u0301/x.test.ts'], ['asks'], 2],
  // Their names are in the hashes of their cassettes, but there is no hash where there is no title.
  [['a:b.test.ts', 'a*b.test.ts', 'a_b.test.ts'], ['asks'], 0],
  [['a:b.test.ts', 'a*b.test.ts', 'a_b.test.ts'], [], 3],
  [['con.test.ts', '_con.test.ts'], [], 2],
  [['Chat.test.ts', 'chat.test.ts'], [], 0],
  [['caf\u00e9.test.ts'], ['asks'], 0],
])(
  'of the files %j, those whose cassettes for %j overwrite each other are found: %i',
  (names, titles, count) => {
    const own = mkdtempSync(join(tmpdir(), 'vitest-cassette-names-'))
    for (const name of names) {
      mkdirSync(dirname(join(own, name)), { recursive: true })
      writeFileSync(join(own, name), '')
    }
    const path = cassettePath({ file: names[0]!, titles, ordinal: 0 })
    expect(new TestFiles(own).overwriting(path)).toHaveLength(count)
    expect(refuseSharedName({ root: own, path })?.code).toBe(
      count > 0 ? 'recording-refused' : undefined,
    )
    rmSync(own, { recursive: true })
  },
)
