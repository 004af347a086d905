import { expect, test } from 'vitest'
import { type Cassette, isRecorded } from '../../../src/cassette/cassette.ts'
import type { Incoming } from '../../../src/engine/incoming.ts'
import type { Session } from '../../../src/engine/session.ts'
import { recoverCassette } from '../../../src/recording/recovered-cassette.ts'
import { exchangesStillAsked } from '../../../src/explain/facts/still-asked.ts'
import { waysOut } from '../../../src/explain/ways-out.ts'
import { chat } from '../../engine/chat.ts'
import { openExample, recorded } from '../../engine/example-session.ts'

/** The prompts of a conversation of three questions. */
function conversation(system: string): Incoming[] {
  const said = ['One?', 'First.', 'Two?', 'Second.', 'Three?']
  return [1, 3, 5].map((length) => chat(`system: ${system}`, ...said.slice(0, length)))
}

function answered(asked: Incoming[]): Cassette {
  const answers = ['First.', 'Second.', 'Third.']
  return recorded(...asked.map((one, index): [Incoming, string] => [one, answers[index]!]))
}

/** The cassette after `recover`, where a recording of changed prompts was killed after some answers. */
function recovered(known: Cassette, paid: Cassette): Cassette {
  const answers = paid.exchanges.filter(isRecorded).map(({ wire, prompt }, order) => ({
    order,
    hash: prompt.hash,
    request: wire.request,
    response: wire.response,
  }))
  return recoverCassette(known, { id: known.conversationId, time: known.timestamp, answers })!
}

function ask(cassette: Cassette, asked: Incoming[]): Session {
  const session = openExample(cassette)
  for (const [order, one] of asked.entries()) session.answer(one, { order })
  return session
}

/** What the ways out of the first miss take. */
function takes(session: Session): string[] {
  return waysOut(session, session.misses[0]!).map(({ takes }) => takes)
}

const OLD = conversation('Be kind.')
const NEW = conversation('Be kind, and brief.')

test.for([
  [1, 'record 2 of 3 calls again'],
  [2, 'record 1 of 3 calls again'],
] as const)('after %s recovered answers, the calls that are left count once', ([paid, left]) => {
  const cassette = recovered(answered(OLD), answered(NEW.slice(0, paid)))
  expect(cassette.exchanges).toHaveLength(3 + paid)
  const session = ask(cassette, NEW.slice(0, paid + 1))
  expect(session.misses).toHaveLength(1)
  expect(takes(session)).toEqual(expect.arrayContaining([left, 'record 3 calls again']))
})

test('a later prompt that changed, and was recovered, counts once', () => {
  const edited = chat('system: Be kind.', 'One?', 'First.', 'Two, please?')
  const next = chat('system: Be kind.', 'One?', 'First.', 'Two, please?', 'Second.', 'Three?')
  const cassette = recovered(answered(OLD), recorded([edited, 'Second.']))
  const session = ask(cassette, [OLD[0]!, edited, next])
  expect(takes(session)).toContain('record 1 of 3 calls again')
})

test('all exchanges count where the misses of the test stand for those it did not ask for', () => {
  const asked = (system: string, text: string): Incoming => chat(`system: ${system}`, text)
  const texts = ['All about cats', 'All about dogs', 'All about newts']
  const cassette = answered(texts.map((text) => asked('Be kind.', text)))
  const [cats, dogs, newts] = texts
  const session = ask(cassette, [
    asked('Be kind.', dogs!),
    asked('Be kind.', newts!),
    asked('Be, kind.', cats!),
  ])
  expect(exchangesStillAsked(session)).toHaveLength(3)
  expect(takes(session)).toContain('record 1 of 3 calls again')
})

test('exchanges behind the last one that was replayed still count', () => {
  const session = ask(answered(OLD), [OLD[0]!, NEW[1]!])
  expect(exchangesStillAsked(session)).toHaveLength(3)
})
