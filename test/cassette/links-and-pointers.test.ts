import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CassetteReader, parseStored } from '../../src/cassette/reader.ts'
import { CassetteStore } from '../../src/cassette/store.ts'

const pointer = (address: string): string =>
  `version https://${address}/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'links-'))
  mkdirSync(join(root, 'real/blobs'), { recursive: true })
  mkdirSync(join(root, 'project/__recordings__/blobs'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const readerOf = (followsLinks: boolean): CassetteReader =>
  new CassetteReader(join(root, 'project'), '__recordings__', 1_000, parseStored, followsLinks)

test('cassettes and blobs are read through links where that is asked, and refused elsewhere', () => {
  writeFileSync(join(root, 'real/a.json'), 'not a cassette')
  writeFileSync(join(root, 'real/blobs/b.png'), 'bytes')
  for (const name of ['a.json', 'blobs/b.png'])
    symlinkSync(join(root, 'real', name), join(root, 'project/__recordings__', name))
  expect(() => readerOf(false).load('a.json')).toThrow(
    /is a symbolic link, which could lead anywhere\.\n.*followLinks: true/,
  )
  expect(() => readerOf(false).findBlob('b.png')).toThrow('is a symbolic link')
  expect(() => readerOf(true).load('a.json')).toThrow('it is not JSON')
  expect(String(readerOf(true).findBlob('b.png'))).toBe('bytes')
  writeFileSync(join(root, 'real/a.json'), ' '.repeat(2_000))
  expect(() => readerOf(true).load('a.json')).toThrow('it has 2000 bytes')
})

test('a link that leads nowhere, or to a folder, is no cassette', () => {
  symlinkSync(join(root, 'real/gone.json'), join(root, 'project/__recordings__/a.json'))
  symlinkSync(join(root, 'real'), join(root, 'project/__recordings__/b.json'))
  expect(readerOf(true).load('a.json')).toBeUndefined()
  expect(() => readerOf(true).load('b.json')).toThrow('it is no file')
})

test.for(['git-lfs.github.com', 'hawser.github.com'])(
  'a pointer of Git LFS (%s) in the place of a cassette is named, with the command',
  (address) => {
    writeFileSync(join(root, 'project/__recordings__/a.json'), pointer(address))
    const store = new CassetteStore(join(root, 'project'), '__recordings__', 1_000)
    expect(() => store.load('a.json')).toThrow(/is a pointer of Git LFS.*\n.*git lfs pull/)
    expect(store.load('a.json', true)).toBeUndefined()
  },
)

test('so is one in the place of a blob', () => {
  const recorded = join(import.meta.dirname, '../../__recordings__')
  const [file = ''] = globSync('test/recordings/*/generic-picture-*.json', { cwd: recorded })
  const text = readFileSync(join(recorded, file), 'utf8')
  const [, blob] = /"\$blob": ?"([^"]+)"/.exec(text)!
  const folder = join(root, 'project/__recordings__')
  writeFileSync(join(folder, 'a.json'), text)
  writeFileSync(join(folder, 'blobs', blob!), pointer('git-lfs.github.com'))
  const store = new CassetteStore(join(root, 'project'), '__recordings__', 100_000)
  expect(() => store.load('a.json')).toThrow(
    new RegExp(`its file blobs/${blob} is a pointer of Git LFS.*\\n.*git lfs pull`),
  )
})
