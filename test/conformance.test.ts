import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { afterAll, describe, expect, test } from 'vitest'
import { printCassette } from '../src/cassette/format.ts'
import { cassetteSchema } from '../src/cassette/format/schema.ts'
import { parseJson } from '../src/json/json-value.ts'
import { sha256 } from '../src/prompt/sha256.ts'
import { askEngine, readAlone } from './conformance/ask-engine.ts'
import type { Case } from './conformance/case.ts'
import { chanceCases } from './conformance/chance.ts'
import type { MadeUp } from './conformance/make-case.ts'
import { MADE_UP } from './conformance/made-up.ts'
import { type Level, levelOf, LEVELS, signOf } from './conformance/levels.ts'
import { recordedCases } from './conformance/recorded.ts'
import { tables } from './conformance/tables.ts'
import { expectDocumented } from './docs-section.ts'
import { needs } from './needs.ts'

const folder = join(import.meta.dirname, '../conformance/cases')
const temporary = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(temporary, { recursive: true }))

/** A case with what the engine makes of it, as its file holds it. */
function complete(meant: MadeUp, level: Level): Case {
  const { shows, requests, ...rest } = meant
  const asked = { shows, level, ...rest, requests: requests.map(([ask]) => ask) }
  const { expected, unreadable, unused = [], edited = [] } = askEngine(asked)
  expect({ unreadable, unused, edited }).toEqual({
    unreadable: meant.unreadable,
    unused: meant.unused ?? [],
    edited: meant.edited ?? [],
  })
  const outcomes = expected.map(({ refused, exchange }) => (refused ? { refused } : exchange))
  expect(outcomes).toEqual(requests.map(([, outcome]) => outcome))
  return {
    ...asked,
    requests: asked.requests.map((ask, at) => ({ ...ask, expect: expected[at]! })),
  }
}

test.for(Object.entries({ ...recordedCases(), ...MADE_UP }))(
  'the case %s is as it is meant',
  async ([name, meant]) => {
    const text = printCassette(complete(meant, levelOf(name)))
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.json`))
  },
)

test.for(readdirSync(folder))('the level of %s is not below what it has', (name) => {
  const { level, ...known } = parseJson(readFileSync(join(folder, name), 'utf8')) as unknown as Case
  expect(LEVELS.indexOf(level)).toBeGreaterThanOrEqual(LEVELS.indexOf(signOf({ ...known, level })))
})

test.for(readdirSync(folder))('the engine does what %s expects', (name) => {
  const known = parseJson(readFileSync(join(folder, name), 'utf8')) as unknown as Case
  const { expected, unreadable, unused = [], edited = [] } = askEngine(known)
  expect(unreadable).toBe(known.unreadable)
  expect(expected).toEqual(known.requests.map((ask) => ask.expect))
  expect(unused).toEqual(known.unused ?? [])
  expect(edited).toEqual(known.edited ?? [])
})

test('conformance/tables.json has the tables of this release', async () => {
  await expect(`${JSON.stringify(tables(), null, 1)}\n`).toMatchFileSnapshot(
    join(folder, '../tables.json'),
  )
})

/** Requests that show how the canonical form is made, by the case and the place in it. */
const VECTORS: ReadonlyArray<[name: string, place: number]> = [
  ['word-changed', 6],
  ['headers', 1],
  ['numbers', 1],
  ['schema-order', 1],
  ['calls', 1],
  ['marks', 1],
  ['hosts', 1],
  ['volatile', 1],
  ['no-json', 2],
]

test('docs/format.md shows the canonical form and the hash of some of them', async () => {
  const shown = VECTORS.map(([name, place]) => {
    const { options, requests } = MADE_UP[name]!
    const { method, url, headers = {}, body } = requests[place]![0]
    const { canonical, hash } = readAlone(requests[place]![0], options)
    const { after, body: form, endpoint, headers: counting, path, query } = canonical
    const text = JSON.stringify({
      after,
      body: form,
      endpoint,
      headers: counting,
      method,
      path,
      query,
    })
    expect(`sha256-${sha256(text)}`).toBe(hash)
    const sent = Object.entries(headers).map((pair) => pair.join(': '))
    const rules = options?.volatile ? [`volatile: ${options.volatile.join(', ')}`] : []
    const lines = [`${method} ${url}`, ...sent, ...rules, '', body!, '', text, hash]
    return ['```', ...lines, '```'].join('\n')
  })
  await expectDocumented('format.md', 'test vectors', shown.join('\n\n'))
})

test('docs/format.md names each field of the schema', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/format.md'), 'utf8')
  const names = new Set<string>()
  JSON.stringify(z.toJSONSchema(cassetteSchema, { io: 'input' }), (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name)
    return value
  })
  expect(names.size).toBeGreaterThan(50)
  expect(
    [...names].filter((name) => !new RegExp(`[\`."]${name.replace('$', '\\$')}[\`":.]`).test(page)),
  ).toEqual([])
})

test('docs/format.md tells how many cases each level has', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/format.md'), 'utf8')
  const levels = readdirSync(folder).map((name) => readCase(name.replace('.json', '')).level)
  for (const level of LEVELS) {
    const [, count] = new RegExp(`^\\| \`${level}\` \\|.* \\| (\\d+) \\|$`, 'm').exec(page) ?? []
    expect([level, Number(count)]).toEqual([level, levels.filter((one) => one === level).length])
  }
})

/** Whether there is a Python that can run the player. */
const PLAYER = join(folder, '../player.py')
const CORE = join(folder, '../core.py')

/** Runs cases with a player, and tells how many passed, were refused and were wrong at each level, and the failures. */
function runCases(player: string, level: Level, cases: string = folder) {
  const args = ['-B', join(folder, '../run.py'), '--level', level, '--folder', cases]
  const { stdout, stderr } = spawnSync('python3', [...args, 'python3', '-B', player], {
    encoding: 'utf8',
  })
  const lines = stdout.trim().split('\n')
  const counts = LEVELS.map((name, at): [Level, number[]] => {
    const [said, ...numbers] = lines[at + 1]!.split(/ +/)
    expect(said).toBe(name)
    return [name, numbers.map(Number)]
  })
  return { counts: Object.fromEntries(counts), failures: lines.slice(LEVELS.length + 1), stderr }
}

/** Writes cases into a folder of their own. */
function writeCases(name: string, made: Record<string, object>): string {
  const cases = join(temporary, name)
  mkdirSync(cases)
  for (const [file, one] of Object.entries(made))
    writeFileSync(join(cases, `${file}.json`), printCassette(one))
  return cases
}

function readCase(name: string): any {
  return parseJson(readFileSync(join(folder, `${name}.json`), 'utf8'))
}

/** What makes more of a case of the level `core` than a player of that level knows. */
const MORE: Record<string, [name: string, change: (one: any) => void]> = {
  'a field of an exchange': ['word-changed', ({ cassette }) => (cassette.exchanges[0].more = 1)],
  'a field of a request': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.request.imported = { from: 'har' }),
  ],
  'a field of an answer': [
    'stream',
    ({ cassette }) => (cassette.exchanges[0].wire.response.cut = true),
  ],
  'a parameter of the file': ['turns', ({ cassette }) => (cassette.params = { order: 'Friday' })],
  'a layout': [
    'stream',
    ({ cassette }) => (cassette.exchanges[0].wire.response.layout = { ascii: true }),
  ],
  'a field of an event': [
    'stream',
    ({ cassette }) => (cassette.exchanges[0].wire.response.body.$events[0].retry = 1),
  ],
  'a marker of a later level': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.response.body = { a: { $json: { $text: 'a' } } }),
  ],
  'a marker that nobody knows': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.response.body = { a: { $zip: 'a' } }),
  ],
  'a body that nobody knows': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.response.body = { $zip: 'a' }),
  ],
  'a run of one list without values': [
    'stream',
    ({ cassette }) =>
      Object.assign(cassette.exchanges[0].wire.response.body.$events[0].next, { '/data/id': [] }),
  ],
  'a run at a place that is none': [
    'stream',
    ({ cassette }) => (cassette.exchanges[0].wire.response.body.$events[0].next = { data: ['a'] }),
  ],
  'a text of which a piece is none': [
    'turns',
    ({ cassette }) => (cassette.exchanges[0].prompt.text = { $text: ['a', 1, 'b'] }),
  ],
  'a key of a reference': [
    'turns',
    ({ cassette }) => (cassette.exchanges[1].wire.request.body.messages[0].of = 1),
  ],
  'a header of another reading': [
    'headers',
    ({ cassette }) => (cassette.exchanges[0].wire.request.headers.prefer = 'wait'),
  ],
  'a header that was not reduced': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.request.headers = { accept: '*/*' }),
  ],
  'a parameter of the address': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.request.url += '?tenant=a'),
  ],
  'a placeholder': [
    'word-changed',
    ({ cassette }) => (cassette.exchanges[0].wire.request.body.user = '<REDACTED:API_KEY>'),
  ],
  'a rule': ['word-changed', (one) => (one.options = { volatile: ['uuid'] })],
  'an option that nobody knows': ['word-changed', (one) => (one.options = { sorted: true })],
  'a field of a request of the case': [
    'keys-in-any-order',
    ({ requests }) => (requests[0].after = 0),
  ],
  'another id of a call': [
    'recorded-openai-chat-tools',
    ({ cassette, requests }) => {
      const messages = (id: string) => [{ role: 'tool', tool_call_id: id, content: 'dry' }]
      cassette.exchanges[0].wire.request.body = { messages: messages('a') }
      requests[0].body = JSON.stringify({ messages: messages('b') })
    },
  ],
}

describe('the players in Python', { ...needs('python3'), timeout: 120_000 }, () => {
  test('player.py passes all cases', () => {
    const { counts, failures, stderr } = runCases(PLAYER, 'written')
    expect([failures, stderr]).toEqual([[], ''])
    expect(Object.values(counts).reduce((sum, [passed]) => sum + passed!, 0)).toBe(
      readdirSync(folder).length,
    )
  })

  test('player.py plays all other recordings, and what chance has made; core.py answers none of them wrongly', () => {
    const made = { ...recordedCases(false), ...chanceCases() }
    const completed = Object.entries(made).map(([name, meant]) => [name, complete(meant, 'bodies')])
    const cases = writeCases('others', Object.fromEntries(completed))
    expect(runCases(PLAYER, 'written', cases)).toMatchObject({ failures: [], stderr: '' })
    const { counts, failures, stderr } = runCases(CORE, 'core', cases)
    expect([failures, stderr]).toEqual([[], ''])
    expect(counts.bodies![0]).toBeGreaterThan(30)
  })

  test('core.py passes all cases of its level, and refuses those above by name', () => {
    const { counts, failures, stderr } = runCases(CORE, 'core')
    expect([failures, stderr]).toEqual([[], ''])
    expect(counts.core).toEqual([expect.any(Number), 0, 0])
    // It has the right outcome of a case with an unknown body, and of one that has nothing to redact.
    const passed = LEVELS.slice(1).map((level) => counts[level]![0])
    expect(passed).toEqual([1, 0, 1, 0])
  })

  test('core.py refuses what it does not know', () => {
    const made = Object.entries(MORE).map(([more, [name, change]]) => {
      const one = readCase(name)
      change(one)
      return [more, { ...one, level: 'bodies' }]
    })
    const cases = writeCases('more', Object.fromEntries(made))
    expect(runCases(CORE, 'core', cases)).toEqual({
      counts: expect.objectContaining({ bodies: [0, made.length, 0] }),
      failures: [],
      stderr: '',
    })
  })

  test('run.py finds a wrong answer, a refusal at the level of a player, and a player that ends', () => {
    const wrong = readCase('word-changed')
    wrong.requests.at(-1).expect.body = 'other'
    const cases = writeCases('wrong', { wrong, refused: { ...readCase('picture'), level: 'core' } })
    const { counts, failures } = runCases(CORE, 'core', cases)
    expect(counts.core).toEqual([0, 1, 1])
    expect(failures.join('\n')).toMatch(/^refused: refused\nwrong: request 7\n/)
    expect(runCases(join(folder, '../tables.json'), 'core', cases).counts.core).toEqual([0, 0, 2])
  })
})
