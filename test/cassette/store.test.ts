import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FORMAT_VERSION } from '../../src/cassette/format.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { coded, expectGolden, failureOf, failuresOf } from '../golden.ts'
import { needs, readOnly } from '../needs.ts'
import { exampleCassette } from './example-cassette.ts'

const PATH = 'a.test.ts/greets-0123456789.json'

function openStore(maxBytes = 1_000_000): { store: CassetteStore; file: string; root: string } {
  const root = mkdtempSync(join(tmpdir(), 'cassette-store-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return {
    store: new CassetteStore(root, '__recordings__', maxBytes),
    file: join(root, '__recordings__', PATH),
    root,
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const cassette = exampleCassette({ messages: ['Hello'] })

const linked = /__recordings__.* link/

test('what was saved is loaded, and nothing lies beside it', async () => {
  const { store, file } = openStore()
  await store.save(PATH, cassette)
  expect(store.load(PATH)).toEqual(cassette)
  expect(readdirSync(dirname(file))).toEqual(['greets-0123456789.json'])
})

test('what is kept outside of git below the folder is no cassette of it', async () => {
  const { store, root } = openStore()
  await store.save(PATH, cassette)
  // As where a program opens a cassette in a folder without a package.
  const own = new CassetteStore(join(root, '__recordings__'), '.', 1_000_000)
  await own.park(PATH, cassette)
  expect(store.list()).toEqual([PATH])
  expect(store.entries().map(({ path }) => path)).toEqual(['a.test.ts', PATH])
})

test('a cassette that is not there is undefined', () => {
  expect(openStore().store.load(PATH)).toBeUndefined()
})

const MARK = { reason: 'old', since: '2026-05-01T00:00:00.000Z' }

test('a mark changes nothing else, not even a hash that is wrong', async () => {
  const { store, file } = openStore()
  await store.save(PATH, cassette)
  const text = readFileSync(file, 'utf8').replace(/"hashes": \["\w{4}/, '"hashes": ["dead')
  writeFileSync(file, text)
  await store.mark(PATH, MARK)
  const marked = readFileSync(file, 'utf8')
  expect(marked.replace(/ {2}"invalid": .*\n/, '')).toBe(text)
  expect(marked).not.toBe(text)
  await store.mark(PATH, undefined)
  expect(readFileSync(file, 'utf8')).toBe(text)
  await expect(store.mark('a.test.ts/gone-0123456789.json', MARK)).rejects.toThrow(
    coded('invalid-cassette'),
  )
})

test('errors alone replace no parked answer, and an answer replaces errors', async () => {
  const { store, root } = openStore()
  const errors = exampleCassette({ messages: ['Hello'] })
  for (const { wire } of errors.exchanges) wire!.response!.status = 401
  const parked = join(root, await store.park(PATH, errors))
  expect(readFileSync(parked, 'utf8')).toContain('"status": 401')
  await store.park(PATH, cassette)
  const paid = readFileSync(parked, 'utf8')
  expect(paid).not.toContain('"status": 401')
  expect(join(root, await store.park(PATH, errors))).toBe(parked)
  expect(readFileSync(parked, 'utf8')).toBe(paid)
})

test('what is parked replaces nothing', async () => {
  const { store, root } = openStore()
  const parked = await store.park(PATH, cassette)
  expect(store.load(PATH)).toBeUndefined()
  expect(readFileSync(join(root, parked), 'utf8')).toContain('exchange-1')
  expect(statSync(join(root, parked)).mode & 0o777).toBe(0o600)
})

const unreadable = [
  ['is empty', '', /JSON: /],
  ['is cut', '{"version":"1.0","exch', /JSON: /],
  ['has conflict markers', '{\n<<<<<<< HEAD\n"version":"1.0"}', / line 2 /],
  [
    'has both recordings of a merge',
    '{\n<<<<<<< HEAD\n"version":"1.0"\n=======\n"version":"1.1"\n>>>>>>> main\n}',
    / line 2 .*\n.*: npx vitest-cassette resolve\./,
  ],
  ['has a later format', '{"version":"3.0"}', / 3\.0.* 2\.0/],
  [
    'lacks a field',
    '{"version":"1.0","conversation_id":"a","timestamp":"2026-01-01T00:00:00.000Z"}',
    / at \/exchanges: .*missing/,
  ],
  [
    'has an unknown field',
    '{"version":"1.0","conversation_id":"a","timestamp":"2026-01-01T00:00:00.000Z","exchanges":[],"more":1}',
    / at \/: .*'more'/,
  ],
  ['has 5000 levels', '['.repeat(5_000) + ']'.repeat(5_000), / 1000 /],
  ['is a list', '[]', / at \/: .*object/],
] as const

/** What this release of Node says of a text that is no JSON. */
function parserOf(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    return (error as Error).message
  }
}

test.for(unreadable)(
  'a cassette that %s is named with the place and the way out',
  ([, text, named]) => {
    const { store, file } = openStore()
    put(file, text)
    expect(() => store.load(PATH)).toThrow(coded('invalid-cassette'))
    expect(() => store.load(PATH)).toThrow(named)
    expect(() => store.load(PATH)).toThrow(`__recordings__/${PATH} `)
    expect(() => store.load(PATH)).toThrow(/RECORD=1/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test('each cassette that cannot be read has a reason and a way out', async () => {
  const rows = unreadable.map(([title, text]) => {
    const { store, file } = openStore()
    put(file, text)
    return [title, () => store.load(PATH)] as const
  })
  const parsers = unreadable.slice(0, 2).map(([, text]) => [parserOf(text), '<of the parser>'])
  await expectGolden(await failuresOf(rows), 'unreadable', Object.fromEntries(parsers))
})

test.for([
  ['"hashes": ["', '"hashes": ["md5-', / at \/hashes\/0: expected /],
  ['"seal": "', '"seal": "-', / at \/seal: expected /],
  ['"status": 200', '"status": 42', / at \/exchanges\/0\/response\/sent\/status: .* 200/],
  ['"method": "POST"', '"method": "PO ST"', / at \/exchanges\/0\/request\/method: /],
  ['"body": {', '"text": "a", "body": {', / at \/exchanges\/0\/request: .*one body/],
  ['"id": "exchange-1"', '"id": "a.b"', / at \/exchanges\/0\/id: /],
  ['"timestamp": "2026', '"timestamp": "last year', / at \/timestamp: /],
  ['"input_tokens": 3', '"input_tokens": "many"', /input_tokens: .*number/],
] as const)('a field with a wrong value is named: %s -> %s', async ([from, to, problem]) => {
  const { store, file } = openStore()
  await store.save(PATH, cassette)
  put(file, readFileSync(file, 'utf8').replace(from, to))
  expect(() => store.load(PATH)).toThrow(problem)
})

test.for(['1.0', '1.1', '1.2', '1.3'])(
  'exchanges in version %s, which no release wrote, are recorded again',
  async (version) => {
    const { store, file } = openStore()
    await store.save(PATH, cassette)
    const text = readFileSync(file, 'utf8')
    put(file, text.replace(`"version": "${FORMAT_VERSION}"`, `"version": "${version}"`))
    const refused = await failureOf(() => store.load(PATH))
    for (const fact of [PATH, ` ${version} `, 'RECORD=1']) expect(refused).toContain(fact)
    await expectGolden(refused, 'unreleased-version', { [` ${version} `]: ' <version> ' })
  },
)

test('a byte order mark and Windows line ends are read over', async () => {
  const { store, file } = openStore()
  await store.save(PATH, cassette)
  writeFileSync(file, '\uFEFF' + readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  expect(store.load(PATH)).toEqual(cassette)
})

test('a file over the limit is not read', async () => {
  const { store, file } = openStore(100)
  put(file, ' '.repeat(101))
  const refused = () => store.load(PATH)
  expect(refused).toThrow(/101 .* 100 .*maxCassetteBytes/)
  await expectGolden(await failureOf(refused), 'over-the-limit')
})

test('a symbolic link is neither read nor written through', async () => {
  const { store, file, root } = openStore()
  put(join(root, 'secret.json'), 'secret')
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(join(root, 'secret.json'), file)
  expect(() => store.load(PATH)).toThrow(linked)
  await expect(store.save(PATH, cassette)).rejects.toThrow(linked)
  expect(readFileSync(join(root, 'secret.json'), 'utf8')).toBe('secret')
})

test('a folder that is a symbolic link leads nowhere', async () => {
  const { store, root } = openStore()
  mkdirSync(join(root, 'elsewhere'))
  symlinkSync(join(root, 'elsewhere'), join(root, '__recordings__'))
  await expect(store.save(PATH, cassette)).rejects.toThrow(linked)
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([])
})

test('links in the folder are named and not followed', async () => {
  const { store, root } = openStore()
  await store.save(PATH, cassette)
  symlinkSync('.', join(root, '__recordings__/again'))
  symlinkSync(root, join(root, '__recordings__/above'))
  expect(store.list()).toEqual([PATH])
  expect(store.entries()).toEqual([
    { path: dirname(PATH), kind: 'folder' },
    { path: PATH, kind: 'file' },
    { path: 'above', kind: 'link' },
    { path: 'again', kind: 'link' },
  ])
})

test(
  'a folder that cannot be written leaves the old cassette whole',
  needs('unprivileged-user'),
  async () => {
    const { store, file } = openStore()
    await store.save(PATH, cassette)
    using _ = readOnly(dirname(file))
    await expect(store.save(PATH, exampleCassette({ a: 1 }))).rejects.toThrow(/EACCES/)
    expect(store.load(PATH)).toEqual(cassette)
  },
)

test('what cannot be read and is recorded afresh is kept outside of git', async () => {
  const { store, file, root } = openStore()
  const broken = '{\n<<<<<<< HEAD\n"version":"1.0"}'
  put(file, broken)
  expect(store.load(PATH, true)).toBeUndefined()
  const { unreadable: kept } = await store.save(PATH, cassette)
  expect(readFileSync(join(root, kept!), 'utf8')).toBe(broken)
  expect(statSync(join(root, kept!)).mode & 0o777).toBe(0o600)
  expect(store.load(PATH)).toEqual(cassette)
  const another = exampleCassette({ messages: ['Hello'] }, { messages: ['Bye'] })
  expect(await store.save(PATH, another)).toEqual({ raw: [] })
})
