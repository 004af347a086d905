import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findOrphans, type Orphan } from '../../src/cassette/orphans.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { explainOneFile } from '../../src/tools/move/move.ts'
import { exampleCassette } from './example-cassette.ts'

const LIVING = 'a.test.ts/greets-0123456789.json'

/** What is orphaned of these files when only the test of `LIVING` and the file `skipped.test.ts` live. */
async function orphansOf(
  files: Record<string, 'cassette' | 'foreign' | 'link'>,
): Promise<Orphan[]> {
  const root = mkdtempSync(join(tmpdir(), 'cassette-orphans-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const store = new CassetteStore(root, '__recordings__', 1e6)
  for (const [path, kind] of Object.entries(files)) {
    const file = join(root, '__recordings__', path)
    mkdirSync(dirname(file), { recursive: true })
    if (kind === 'cassette') await store.save(path, exampleCassette({ messages: [] }))
    else if (kind === 'link') symlinkSync('greets-0123456789.json', file)
    else writeFileSync(file, '{ "version": "1.0", "greetings": [] }')
  }
  const paths = new Set([LIVING])
  return findOrphans(store, {
    paths,
    hasTestFile: (path) => path.startsWith('skipped.test.ts/'),
  })
}

test('a cassette is an orphan when its file has no such test, or is gone', async () => {
  const orphans = await orphansOf({
    [LIVING]: 'cassette',
    'a.test.ts/was-there-abcdefabcd.json': 'cassette',
    'a.test.ts/_file.json': 'cassette',
    'gone.test.ts/asks-0123456789.json': 'cassette',
  })
  expect(orphans.map(({ path }) => path)).toEqual([
    'a.test.ts/_file.json',
    'a.test.ts/was-there-abcdefabcd.json',
    'gone.test.ts/asks-0123456789.json',
  ])
})

test('a test file that is there and did not run has no orphans', async () => {
  expect(await orphansOf({ 'skipped.test.ts/any-0123456789.json': 'cassette' })).toEqual([])
})

test('what this package did not write is never an orphan', async () => {
  const orphans = await orphansOf({
    'a.test.ts/foreign-0123456789.json': 'foreign',
    'a.test.ts/link-0123456789.json': 'link',
    'a.test.ts/notes.json': 'cassette',
    'fixtures/copy.json': 'cassette',
    'top-0123456789.json': 'cassette',
  })
  expect(orphans).toEqual([])
})

test('a test was renamed where one living test, and no other, asks the same', async () => {
  const renamed = { [LIVING]: 'cassette', 'a.test.ts/old-abcdefabcd.json': 'cassette' } as const
  expect(await orphansOf(renamed)).toMatchObject([{ renamedTo: 'a.test.ts > greets' }])
  const [moved] = await orphansOf({ ...renamed, 'b.test.ts/greets-abcdefabcd.json': 'cassette' })
  expect(moved).toMatchObject({ renamedTo: 'a.test.ts > greets' })
  const [gone] = await orphansOf({
    [LIVING]: 'cassette',
    'b.test.ts/old-abcdefabcd.json': 'cassette',
  })
  expect(gone).not.toHaveProperty('renamedTo')
})

test('each of many cassettes is read once, whatever was renamed', async () => {
  const read = vi.spyOn(CassetteStore.prototype, 'readStored')
  const load = vi.spyOn(CassetteStore.prototype, 'load')
  const gone = Array.from({ length: 30 }, (_, index) => `a.test.ts/gone-${1e9 + index}.json`)
  const orphans = await orphansOf({
    [LIVING]: 'cassette',
    ...Object.fromEntries(gone.map((path) => [path, 'cassette' as const])),
  })
  expect(orphans).toHaveLength(gone.length)
  expect(read.mock.calls.length + load.mock.calls.length).toBe(gone.length + 1)
})

test('a cassette that a test uses by another spelling of its path is no orphan', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cassette-spelling-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const store = new CassetteStore(root, '__recordings__', 1e6)
  const old = 'src/A.test.ts/greets-0123456789.json'
  const fresh = 'src/a.test.ts/greets-0123456789.json'
  await store.save(old, exampleCassette({ messages: [] }))
  const living = { paths: new Set([fresh]), hasTestFile: () => false }
  expect(findOrphans(store, living).map(({ path }) => path)).toEqual([old])

  // As where the file system takes both for one.
  const [one, other] = [old, fresh].map((path) => join(root, '__recordings__', path))
  mkdirSync(dirname(other!))
  linkSync(one!, other!)
  expect(findOrphans(store, living)).toEqual([])
  expect(explainOneFile(store.display(old), store.display(fresh))).toContain(
    'git mv "__recordings__/src/A.test.ts" "__recordings__/src/A.test.ts.tmp" && git mv "__recordings__/src/A.test.ts.tmp" "__recordings__/src/a.test.ts"',
  )
})
