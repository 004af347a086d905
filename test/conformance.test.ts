import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { recordedCases } from './conformance/recorded.ts'
import { tables } from './conformance/tables.ts'
import { expectDocumented } from './docs-section.ts'

const folder = join(import.meta.dirname, '../conformance/cases')
const temporary = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(temporary, { recursive: true }))

/** A case with what the engine makes of it, as its file holds it. */
function complete(meant: MadeUp): Case {
  const { requests, ...rest } = meant
  const asked = { ...rest, requests: requests.map(([ask]) => ask) }
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
    const text = printCassette(complete(meant))
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.json`))
  },
)

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

/** Whether there is a Python that can run the player. */
function hasPython(): boolean {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (status !== 0) console.log('skipped: there is no python3 of 3.9 or newer')
  return status === 0
}

function runPlayer(...cases: string[]): string {
  const { stdout, stderr } = spawnSync('python3', ['-B', join(folder, '../player.py'), ...cases], {
    encoding: 'utf8',
  })
  return stdout + stderr
}

describe.runIf(hasPython())('the player in Python', () => {
  test('passes all cases', () => {
    expect(runPlayer()).toBe('all cases passed\n')
  })

  test('plays all other recordings, and what chance has made', () => {
    const made = { ...recordedCases(false), ...chanceCases() }
    const files = Object.entries(made).map(([name, meant]) => {
      const file = join(temporary, `${name}.json`)
      writeFileSync(file, printCassette(complete(meant)))
      return file
    })
    expect(runPlayer(...files)).toBe('all cases passed\n')
  })
})
