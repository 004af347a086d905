import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { printCassette } from '../src/cassette/format.ts'
import { parseJson } from '../src/json/json-value.ts'
import { askEngine } from './conformance/ask-engine.ts'
import type { Case } from './conformance/case.ts'
import { chanceCases } from './conformance/chance.ts'
import { MADE_UP, type MadeUp } from './conformance/made-up.ts'
import { recordedCases } from './conformance/recorded.ts'
import { tables } from './conformance/tables.ts'

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

/** Whether there is a Python that can run the player. */
function hasPython(): boolean {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (status !== 0) console.log('skipped: there is no python3 of 3.9 or newer')
  return status === 0
}

function runPlayer(...cases: string[]): string {
  const { stdout, stderr } = spawnSync('python3', [join(folder, '../player.py'), ...cases], {
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
