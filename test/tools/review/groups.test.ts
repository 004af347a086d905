import { expect, test } from 'vitest'
import {
  compareCassettes,
  type CassetteState,
} from '../../../src/tools/compare/compare-cassettes.ts'
import { groupChanges } from '../../../src/tools/review/groups.ts'
import { pairCassettes } from '../../../src/tools/review/compare-with-git.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { stateOf } from './states.ts'
import { suiteOf41, type Suite } from './suite-of-41.ts'

function states(cassettes: Iterable<[string, Cassette]>): Map<string, CassetteState> {
  return new Map(Array.from(cassettes, ([path, cassette]) => [path, stateOf(cassette)]))
}

/** The groups between two states: what changed, and in how many cassettes. */
function groupsOf(
  before: Iterable<[string, Cassette]>,
  after: Iterable<[string, Cassette]>,
): Array<[string, number]> {
  const pairs = pairCassettes(states(before), states(after))
  return groupChanges(pairs.map((pair) => compareCassettes(pair))).map(({ changes, cassettes }) => [
    changes.map(({ kind, place: { of, line } }) => `${of} ${line ?? ''} ${kind}`).join(' + '),
    cassettes.length,
  ])
}

const groupsOfSuite = (suite: Suite) => groupsOf(suiteOf41(), suiteOf41(suite))

test('a word that 41 cassettes share is one group, and the answer of one of them another', () => {
  expect(groupsOfSuite({ word: 'quick', seventh: 'is found' })).toEqual([
    ['prompt 13 edited', 41],
    ['answer  edited', 1],
  ])
  expect(groupsOfSuite({})).toEqual([])
})

const asks = (system: string) =>
  recorded([question('', { messages: [{ role: 'system', content: system }] }), 'Ho'])

test('lines that changed in the same cassettes are one group, also where the texts around differ', () => {
  const groups = groupsOf(
    [
      ['a.json', asks('Anna\none\ntwo\nthree\nfour')],
      ['b.json', asks('Bob\none\ntwo\nthree\nfour')],
    ],
    [
      ['a.json', asks('Anna\nONE\ntwo\nthree')],
      ['b.json', asks('Bob\nONE\ntwo\nthree')],
    ],
  )
  expect(groups).toEqual([['prompt 2 edited + prompt 5 removed', 2]])
})

test('a line that only one of them has beside it is a group of its own', () => {
  const groups = groupsOf(
    [
      ['a.json', asks('one\ntwo\nthree')],
      ['b.json', asks('one\ntwo\nthree')],
    ],
    [
      ['a.json', asks('ONE\ntwo\nthree')],
      ['b.json', asks('ONE\ntwo\nthree\nfour')],
    ],
  )
  expect(groups).toEqual([
    ['prompt 1 edited', 2],
    ['prompt 4 added', 1],
  ])
})

test('cassettes are added, gone, and renamed, which is found by what they say', () => {
  const titled = (title: string, cassette: Cassette): Cassette => ({
    ...cassette,
    conversationId: title,
  })
  expect(
    groupsOf(
      [
        ['gone.json', titled('gone', asks('two'))],
        ['old.json', titled('old', asks('one'))],
      ],
      [
        ['added.json', titled('added', asks('three'))],
        ['new.json', titled('new', asks('one'))],
      ],
    ),
  ).toEqual([
    ['cassette  added', 1],
    ['cassette  removed', 1],
    ['cassette  renamed', 1],
  ])
})

test('ids and digests come last, however many cassettes they changed in', () => {
  const agent = (id: string, word: string) =>
    recorded([
      question('', {
        messages: [
          { role: 'system', content: `x-anthropic-billing-header: cc_version=2.1.330.${id};` },
          { role: 'user', content: word },
        ],
        user: id,
      }),
      'Ho',
    ])
  const groups = groupsOf(
    ['a.json', 'b.json', 'c.json'].map((name) => [name, agent('28d', 'Hi')]),
    ['a.json', 'b.json', 'c.json'].map((name, at) => [name, agent('b31', at ? 'Hi' : 'Ho')]),
  )
  expect(groups.map(([, count]) => count)).toEqual([1, 3, 3])
})
