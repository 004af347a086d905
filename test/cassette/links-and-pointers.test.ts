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
import { coded, expectGolden, failureOf } from '../golden.ts'

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

test('cassettes and blobs are read through links where that is asked, and refused elsewhere', async () => {
  writeFileSync(join(root, 'real/a.json'), 'not a cassette')
  writeFileSync(join(root, 'real/blobs/b.png'), 'bytes')
  for (const name of ['a.json', 'blobs/b.png'])
    symlinkSync(join(root, 'real', name), join(root, 'project/__recordings__', name))
  const refused = () => readerOf(false).load('a.json')
  expect(refused).toThrow(/__recordings__\/a\.json .*\n.*followLinks: true/)
  await expectGolden(await failureOf(refused), 'link')
  expect(() => readerOf(false).findBlob('b.png')).toThrow(coded('invalid-cassette'))
  expect(() => readerOf(false).findBlob('b.png')).toThrow('blobs/b.png')
  expect(() => readerOf(true).load('a.json')).toThrow('JSON: ')
  expect(String(readerOf(true).findBlob('b.png'))).toBe('bytes')
  writeFileSync(join(root, 'real/a.json'), ' '.repeat(2_000))
  expect(() => readerOf(true).load('a.json')).toThrow('2000 bytes')
})

test('a link that leads nowhere, or to a folder, is no cassette', () => {
  symlinkSync(join(root, 'real/gone.json'), join(root, 'project/__recordings__/a.json'))
  symlinkSync(join(root, 'real'), join(root, 'project/__recordings__/b.json'))
  expect(readerOf(true).load('a.json')).toBeUndefined()
  expect(() => readerOf(true).load('b.json')).toThrow(coded('invalid-cassette'))
})

test.for(['git-lfs.github.com', 'hawser.github.com'])(
  'a pointer of Git LFS (%s) in the place of a cassette is named, with the command',
  async (address) => {
    writeFileSync(join(root, 'project/__recordings__/a.json'), pointer(address))
    const store = new CassetteStore(join(root, 'project'), '__recordings__', 1_000)
    expect(() => store.load('a.json')).toThrow(/Git LFS.*\n.*git lfs pull/)
    await expectGolden(await failureOf(() => store.load('a.json')), 'pointer')
    expect(store.load('a.json', true)).toBeUndefined()
  },
)

test('a pointer of Git LFS in the place of a blob is named, with the command', () => {
  const recorded = join(import.meta.dirname, '../../__recordings__')
  const [file = ''] = globSync('test/recordings/*/generic-picture-*.json', { cwd: recorded })
  const text = readFileSync(join(recorded, file), 'utf8')
  const [, blob] = /"\$?file": ?"([^"]+)"/.exec(text)!
  const folder = join(root, 'project/__recordings__')
  writeFileSync(join(folder, 'a.json'), text)
  writeFileSync(join(folder, 'blobs', blob!), pointer('git-lfs.github.com'))
  const store = new CassetteStore(join(root, 'project'), '__recordings__', 100_000)
  expect(() => store.load('a.json')).toThrow(
    new RegExp(` blobs/${blob} .*Git LFS.*\\n.*git lfs pull`),
  )
})
