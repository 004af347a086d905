import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { describeChanges } from '../../../src/tools/record/record.ts'
import { compareCassettes } from '../../../src/tools/compare/compare-cassettes.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { stateOf } from './states.ts'

const HI = question('Hi')
const well = recorded([HI, 'Ho'])

/** The same cassette, in which the provider failed before it answered. */
function failing(status: number, cut?: true): Cassette {
  const cassette = recorded([HI, ''], [HI, 'Ho'])
  Object.assign(cassette.exchanges[0]!.wire!.response!, { status, cut })
  return cassette
}

test.for<[name: string, before: Cassette, after: Cassette]>([
  ['comes', well, failing(429)],
  ['goes', failing(529), well],
  ['is another one', failing(429), failing(500)],
  ['is a stream that broke off', failing(200, true), well],
])('an error that a retry overcame and that %s is no change', ([, before, after]) => {
  const [old, current] = [stateOf(before), stateOf(after)]
  const { changes } = compareCassettes({ name: 'a.json', before: old, after: current })
  expect(changes).toMatchObject([{ kind: 'unseen', place: { of: 'cassette' } }])
  const inAnotherForm = { ...old, text: `${old.text} ` }
  expect(describeChanges([{ before: old, after: current }])).toBe(
    describeChanges([{ before: old, after: inAnotherForm }]),
  )
})

test('an error that says what is wrong with the prompt, or was the last word, is a change', () => {
  const asked = recorded([HI, 'Ho'], [HI, 'Ho'])
  asked.exchanges[1]!.wire!.response!.status = 500
  for (const after of [failing(400), asked]) {
    const { changes } = compareCassettes({
      name: 'a.json',
      before: stateOf(well),
      after: stateOf(after),
    })
    expect(changes.map(({ place: { of } }) => of)).toContain('exchange')
  }
})
