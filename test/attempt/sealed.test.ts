import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countedIn, countRequests } from '../../src/attempt/count-requests.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { printSealed } from '../../src/cassette/format.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import { textOf } from '../../src/wire/body.ts'
import { question, recorded } from '../engine/example-session.ts'
import { coded } from '../golden.ts'
import { openIn } from './example-attempt.ts'
import { fetchIn } from '../replay/sealed-call.ts'

const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])
const nowhere = { ci: false, recordInCi: false }
const outcome = { passed: true, now: new Date(), color: false }

let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sealed-'))
  await new CassetteStore(folder, '.', 1e9).save('a.json', cassette)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An attempt with a file on the disk, and what its session answered. */
function open(options: CassetteOptions = {}) {
  return openIn(folder, options)
}

type Opened = ReturnType<typeof open>

async function ask(
  { attempt }: Opened,
  text: string,
  change: (body: string) => string = (body) => body,
  signal?: AbortSignal,
): Promise<string> {
  const { method, url, body } = question(text).wire
  const headers = { authorization: 'Bearer sk-live' }
  const init = { method, headers, body: change(textOf(body)), ...(signal ? { signal } : {}) }
  const response = await fetchIn(attempt, url, init)
  return response.text()
}

/** Changes the file as a person would. */
function edit(change: (text: string) => string): void {
  const path = join(folder, 'a.json')
  const text = readFileSync(path, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(path, change(text))
}

test('a cassette that is asked as it was recorded is replayed, counted and closed without a session', async () => {
  const opened = open()
  const { attempt } = opened
  expect(await ask(opened, 'a')).toContain('one')
  expect(await ask(opened, 'b')).toContain('two')
  expect([attempt.wasAsked, await attempt.close(outcome), opened.opened]).toEqual([true, {}, []])
  const counts = countRequests(countedIn(attempt), true)
  expect(opened.opened).toEqual([])
  expect(countRequests(attempt.session, true)).toEqual(counts)
  expect(counts).toMatchObject({ replayed: 2, unused: 0, misses: 0, passed: true })
})

test('a request of which one byte is another one fails, and what was asked before it counts', async () => {
  const opened = open()
  const { attempt } = opened
  expect(await ask(opened, 'a')).toContain('one')
  const refused = await ask(opened, 'b', (body) => body.replace('"b"', '"c"'))
  expect(refused).toContain('vitest-cassette')
  expect(attempt.session.arrived.map(({ order }) => order)).toHaveLength(1)
  expect(attempt.session.misses).toHaveLength(1)
  expect(await ask(opened, 'b')).toContain('two')
  const { failure } = await attempt.close(outcome)
  expect(failure?.code).toBe('miss')
})

test('requests in another order are replayed without a session, and one that is asked once more is not', async () => {
  const opened = open({ repeats: 'last' })
  expect(await ask(opened, 'b')).toContain('two')
  expect(await ask(opened, 'a')).toContain('one')
  expect([opened.attempt.sealed?.isDone, opened.opened]).toEqual([true, []])
  expect(await ask(opened, 'a')).toContain('one')
  expect(opened.opened).toEqual(['session'])
  expect(opened.attempt.session.arrived).toHaveLength(3)
})

test('responses in flight end in the order of the cassette, without a session', async () => {
  const opened = open()
  const ended: string[] = []
  const asked = ['b', 'a'].map((text) => ask(opened, text).then(() => ended.push(text)))
  await Promise.all(asked)
  expect([ended, opened.opened]).toEqual([['a', 'b'], []])
})

test('a client that leaves while its answer waits gets its own reason', async () => {
  const opened = open()
  const leaving = new AbortController()
  const left = ask(opened, 'b', undefined, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(await ask(opened, 'a')).toContain('one')
  expect([await opened.attempt.close(outcome), opened.opened]).toEqual([{}, []])
})

test('with the option unordered: false, a request that comes too early is left to the session', async () => {
  const opened = open({ unordered: false })
  expect(await ask(opened, 'b')).toContain('vitest-cassette')
  expect(opened.opened).toEqual(['session'])
})

test('an exchange that is not asked is unused', async () => {
  const opened = open()
  await ask(opened, 'a')
  const { failure } = await opened.attempt.close(outcome)
  expect(failure?.code).toBe('unused')
})

test('an edited request is compared as it is edited', async () => {
  edit((text) => text.replaceAll('"content": "a"', '"content": "x"'))
  const opened = open()
  expect(await ask(opened, 'a')).toContain('vitest-cassette')
  expect(opened.attempt.session.misses).toHaveLength(1)
})

describe('a cassette of megabytes', () => {
  const long = (name: string): string => `${name} ${'word '.repeat(200_000)}`
  const names = ['a', 'b', 'c', 'd']

  beforeEach(async () => {
    const exchanges = names.map((name): [ReturnType<typeof question>, string] => [
      question(long(name)),
      `said ${name}`,
    ])
    await new CassetteStore(folder, '.', 1e9).save('a.json', recorded(...exchanges))
  })

  test('is replayed to its end without a session', async () => {
    const opened = open()
    for (const name of names) expect(await ask(opened, long(name))).toContain(`said ${name}`)
    expect([await opened.attempt.close(outcome), opened.opened]).toEqual([{}, []])
    expect(countRequests(countedIn(opened.attempt), true)).toMatchObject({ replayed: 4, unused: 0 })
  })

  test('is read to its end where not all of it is asked', async () => {
    const opened = open()
    expect(await ask(opened, long('a'))).toContain('said a')
    const { failure } = await opened.attempt.close(outcome)
    expect(failure?.code).toBe('unused')
    expect(opened.attempt.session.unused.map(({ exchange }) => exchange.id)).toEqual([
      'exchange-2',
      'exchange-3',
      'exchange-4',
    ])
  })

  test('fails where one byte of a request is another one, and goes on where it was', async () => {
    const opened = open()
    expect(await ask(opened, long('a'))).toContain('said a')
    const drift = (body: string): string => body.replace('word word', 'word wora')
    expect(await ask(opened, long('b'), drift)).toContain('vitest-cassette')
    expect(await ask(opened, long('b'))).toContain('said b')
    expect(opened.attempt.session.misses).toHaveLength(1)
  })

  test('is compared as it is edited, however it is laid out', async () => {
    edit((text) => text.replaceAll('"c word', '"x word'))
    const inPlace = open()
    for (const name of ['a', 'b']) await ask(inPlace, long(name))
    expect(await ask(inPlace, long('c'))).toContain('vitest-cassette')
    expect(inPlace.opened).toEqual(['session'])
    edit((text) => JSON.stringify(JSON.parse(text)))
    const formatted = open()
    for (const name of ['a', 'b'])
      expect(await ask(formatted, long(name))).toContain(`said ${name}`)
    expect(formatted.opened).toEqual(['session'])
    expect(await ask(formatted, long('x'))).toContain('said c')
  })

  test('fails where its end is broken, whether that was asked or not', async () => {
    edit((text) => text.replace('"said d', '"said d"'))
    for (const asked of [names.slice(0, 1), names]) {
      const opened = open()
      for (const name of asked) expect(await ask(opened, long(name))).toContain(' a.json ')
      expect(opened.attempt.session.fault).toEqual(coded('invalid-cassette'))
      expect(opened.attempt.session.fault?.message).toContain(' a.json ')
      expect((await opened.attempt.close(outcome)).failure?.code).toBe('invalid-cassette')
    }
  })
})

test.each([
  [
    'is marked as invalid',
    (text: string) =>
      text.replace(
        '"exchanges"',
        '"invalid": { "reason": "old", "since": "2026-01-01T00:00:00.000Z" },\n  "exchanges"',
      ),
  ],
  [
    'has parameters',
    (text: string) => text.replace('"exchanges"', '"params": { "city": "Rome" },\n  "exchanges"'),
  ],
  [
    'holds what a person wrote',
    (text: string) =>
      text.replace(
        '"exchanges": [',
        '"exchanges": [{ "id": "own", "prompt": { "text": "c" }, "response": { "text": "three" } },',
      ),
  ],
  ['is broken', (text: string) => text.slice(0, -20)],
])('a session answers for a cassette that %s', async (_, change) => {
  edit(change)
  const opened = open()
  await ask(opened, 'a')
  expect(opened.opened).toEqual(['session'])
})

test.each([
  ['formatted', (text: string) => JSON.stringify(JSON.parse(text), null, 4), 'session'],
  ['checked out on Windows', (text: string) => text.replaceAll('\n', '\r\n'), 'sealed'],
  ['saved by Notepad', (text: string) => `\uFEFF${text}`, 'sealed'],
  ['saved without its last newline', (text: string) => text.trimEnd(), 'sealed'],
  ['saved with one newline more', (text: string) => `${text}\n`, 'sealed'],
])('a cassette that was %s answers as before', async (_, change, by) => {
  edit(change)
  const opened = open()
  expect(await ask(opened, 'a')).toContain('one')
  expect(await ask(opened, 'b')).toContain('two')
  expect(await opened.attempt.close(outcome)).toEqual({})
  expect(opened.opened).toEqual(by === 'session' ? ['session'] : [])
})

/** Seals a changed file as this release does. */
function sealAgain(change: (stored: ReturnType<typeof parseStored>) => object): void {
  const path = join(folder, 'a.json')
  const stored = parseStored(readFileSync(path, 'utf8'))
  writeFileSync(path, printSealed({ ...stored, ...change(stored) }))
}

test.each([
  [[2], []],
  [[1, 'uuid'], []],
  [[1, 'uuid'], ['uuid' as const]],
  [[1, 're:212029853b17'], [/id-\d/i]],
  [[1, 're:000000000000'], [/id-\d/i]],
  [[], []],
])(
  'hashes of the rules %j are not trusted by a test with the rules %j',
  async (rules, volatile) => {
    sealAgain(({ hashes }) => ({ rules, hashes: hashes!.toReversed() }))
    const opened = open({ volatile })
    expect(await ask(opened, 'a')).toContain('one')
    expect(opened.opened).toEqual(['session'])
  },
)

test('a file with fewer hashes than exchanges leaves none unnoticed', async () => {
  sealAgain(({ hashes }) => ({ hashes: hashes!.slice(0, 1) }))
  const opened = open()
  expect(await ask(opened, 'a')).toContain('one')
  const { failure } = await opened.attempt.close(outcome)
  expect(failure?.code).toBe('unused')
})

test('an exchange of a part is answered as any other one', async () => {
  sealAgain(({ exchanges }) => ({
    exchanges: exchanges.map((one, at) => (at === 1 ? { ...one, part: 'judge' } : one)),
  }))
  expect(await ask(open(), 'a')).toContain('one')
})

test('an exchange of another sample is neither answered nor unused', async () => {
  sealAgain(({ exchanges }) => ({
    exchanges: exchanges.map((one, at) => (at === 1 ? { ...one, sample: 2 } : one)),
  }))
  const opened = open()
  expect(await ask(opened, 'a')).toContain('one')
  expect(opened.attempt.replayed).toBeDefined()
  expect(await opened.attempt.close(outcome)).toEqual({})
})

test('an exchange that cannot be decoded fails the test', async () => {
  edit((text) => text.replace(/"content": "b"/g, '"content": { "$": "exchange-9.text" }'))
  const opened = open()
  const { attempt } = opened
  expect(await ask(opened, 'a')).toContain('exchange-9')
  expect(attempt.session.fault).toEqual(coded('invalid-cassette'))
  expect(attempt.session.fault?.message).toMatch(
    / a\.json .*: at \/exchanges\/1\/request: .*exchange-9/,
  )
})

/** A value of each option, and what replays with it. A new option fails the types until it is here. */
const REPLAYED_BY: {
  [Name in keyof Required<CassetteOptions>]: ['session' | 'sealed', CassetteOptions[Name]]
} = {
  mode: ['session', 'new'],
  strategy: ['sealed', 'read'],
  samples: ['sealed', 3],
  dir: ['sealed', '.'],
  hosts: ['sealed', ['llm.example.com']],
  allowHosts: ['sealed', ['example.com']],
  network: ['sealed', 'closed'],
  mcp: ['sealed', ['orders']],
  keys: ['sealed', false],
  unused: ['sealed', 'warn'],
  orphans: ['sealed', 'warn'],
  compileCache: ['sealed', false],
  report: ['sealed', true],
  recordErrors: ['sealed', true],
  maxCassetteBytes: ['sealed', 1e6],
  followLinks: ['sealed', true],
  volatile: ['sealed', ['uuid']],
  redact: ['sealed', [/secret/]],
  images: ['session', { match: 'ignore' }],
  repeats: ['sealed', 'last'],
  unordered: ['sealed', false],
  faults: ['session', [{ status: 503 }]],
  pace: ['session', 'recorded'],
  prices: ['sealed', { 'my-model': { input: 1, output: 2 } }],
  speakers: ['session', [{ name: 'me', canHandle: () => false, handleStep: () => undefined }]],
  params: ['sealed', { strategy: 'preset' }],
  maxAge: ['session', 10_000],
  maxFailures: ['session', 3],
  retiredModels: ['session', ['old']],
  whyInvalid: ['session', () => undefined],
  invalid: ['sealed', 'fail'],
}

const rows = Object.entries(REPLAYED_BY).map(([name, [by, value]]) => ({ name, by, value }))

test.each(rows)('with the option $name, a $by replays', ({ name, by, value }) => {
  const { sealed } = open({ [name]: value }).attempt
  expect(sealed ? 'sealed' : 'session').toBe(by)
})

test('what a session replays is opened at its first request', async () => {
  const opened = open({ pace: 'recorded' })
  await ask(opened, 'a')
  expect(opened.opened).toEqual(['session'])
})

test('options that are set before a test asks hold, and are too late after it', async () => {
  const opened = open()
  const { attempt } = opened
  expect(attempt.sealed).toBeDefined()
  attempt.configure({ maxAge: 10_000 }, nowhere, resolveConfig)
  expect(attempt.sealed).toBeUndefined()
  const other = open()
  await ask(other, 'a')
  const configure = (): void => other.attempt.configure({ repeats: 'last' }, nowhere, resolveConfig)
  expect(configure).toThrow(coded('invalid-option'))
  expect(configure).toThrow(/^repeats: /)
})
