import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printCassette } from '../src/cassette/format.ts'
import { parseJson } from '../src/json/json-value.ts'
import { askEngine } from './conformance/ask-engine.ts'
import type { Case } from './conformance/case.ts'
import { MADE_UP, type MadeUp } from './conformance/made-up.ts'
import { recordedCases } from './conformance/recorded.ts'
import { tables } from './conformance/tables.ts'

const folder = join(import.meta.dirname, '../conformance/cases')

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
