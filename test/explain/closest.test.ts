import { expect, test } from 'vitest'
import type { Incoming } from '../../src/engine/incoming.ts'
import { findClosest } from '../../src/explain/closest.ts'
import { explainMiss } from './as-reported.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

const isFruit = (what: string) => question(`Is ${what} a fruit, yes or no?`)
const texts = ['an apple', 'a dog', 'a car']

/** The id of the exchange that a miss is compared with, after the first ones were played. */
function closestTo(asked: string, played: number): string {
  const session = openExample(
    recorded(...texts.map((text): [Incoming, string] => [isFruit(text), 'No.'])),
  )
  for (const [index, text] of texts.slice(0, played).entries())
    expect(session.answer(isFruit(text), { order: index + 1 }).action).toBe('replay')
  expect(session.answer(isFruit(asked), { order: played + 1 }).action).toBe('refuse')
  return findClosest(session, session.recorded, isFruit(asked))!.recorded.exchange.id
}

test('a changed prompt is compared with an exchange that is still to come, even if an earlier one reads more like it', () => {
  expect(closestTo('an apple pie', 2)).toBe('exchange-3')
  expect(closestTo('an apple pie', 0)).toBe('exchange-1')
})

test('a prompt that is asked once more is compared with its own exchange', () =>
  expect(closestTo('an apple', 2)).toBe('exchange-1'))

test('a prompt that has little in common with the rest is compared with the one it is like', () => {
  const session = openExample(
    recorded([isFruit('an apple'), 'Yes.'], [question('Tell me a story of the sea.'), 'Once …']),
  )
  session.answer(isFruit('an apple'), { order: 1 })
  const closest = findClosest(session, session.recorded, isFruit('an apple pie'))
  expect(closest!.recorded.exchange.id).toBe('exchange-1')
})

test('a long text of few words is like no other prompt', () => {
  const long = question('big'.repeat(50_000))
  const session = openExample(recorded([question('First order'), 'Yes.'], [long, 'No.']))
  session.answer(long, { order: 1 })
  const closest = findClosest(session, session.recorded, question('First orders'))
  expect(closest!.recorded.exchange.id).toBe('exchange-1')
})

test('a prompt beyond a recording that was played whole is said to be one more', async () => {
  const session = openExample(recorded([isFruit('an apple'), 'Yes.'], [isFruit('a dog'), 'No.']))
  const ask = (what: string, order: number): string =>
    session.answer(isFruit(what), { order }).action
  expect([ask('an apple', 1), ask('a dog', 2), ask('a car', 3)]).toEqual([
    'replay',
    'replay',
    'refuse',
  ])
  const { headline, details } = explainMiss(session, session.misses[0]!, false)
  expect(headline).toContain(': 2 of 2 ')
  const ways = details.split('\n\n').at(-1)!
  expect(ways.match(/ record .*'$/gm)).toEqual([
    " record --new a.test.ts -t '^asks$'",
    " record a.test.ts -t '^asks$'",
  ])
  await expectGolden(`${headline}\n\n${ways}`, 'one-more')
})

test('failures have one cause though the digests and ids that follow from it are others', () => {
  const agent = (digest: string, rule: string): Incoming =>
    question('', {
      messages: [
        { role: 'system', content: `x-anthropic-billing-header: cc_version=2.1.330.${digest};` },
        { role: 'system', content: `Be ${rule}.` },
        { role: 'user', content: 'Where is my order?' },
      ],
      metadata: { user_id: digest },
    })
  const missed = (before: string, after: string) => {
    const session = openExample(recorded([agent(before, 'kind'), 'Yes.']))
    session.answer(agent(after, 'brief'), { order: 1 })
    return explainMiss(session, session.misses[0]!, false)
  }
  const [one, other] = [missed('28d', 'b31'), missed('c07', '9f2')]
  expect(one.headline).toMatch(/: message 2 \(system\): .* \("kind\." → "brief\."\), .* 2 /)
  expect(one.missed![0]!.changes).toHaveLength(3)
  expect(one.cause!.key).toBe(other.cause!.key)
})
