import { expect, test } from 'vitest'
import type { CassetteOptions } from '../../src/config/options.ts'
import { replayAtOnce } from '../../src/engine/replay-at-once.ts'
import type { Session } from '../../src/engine/session.ts'
import { textOf } from '../../src/wire/body.ts'
import { openExample, question, recorded } from './example-session.ts'

const cassette = recorded([question('a'), 'one'], [question('a'), 'two'])

test('answers come in the order recorded, and count as asked for', () => {
  const session = openExample(cassette)
  const answers = [1, 2, 3].map((order) => replayAtOnce(session, question('a').wire, order))
  const texts = answers.map((answer) => answer && /(one|two)/.exec(textOf(answer.body))![0])
  expect(texts).toEqual(['one', 'two', undefined])
  expect(session.asked.map(({ order }) => order)).toEqual([1, 2])
  expect(session.unused).toEqual([])
})

test.each<[string, CassetteOptions, ((session: Session) => void)?]>([
  ['another mode', { mode: 'new' }],
  ['pictures that may look alike', { images: { match: 'phash' } }],
  ['a rule for what is secret', { redact: [/a/] }],
  ['a fault', { faults: [{ status: 500 }] }],
  ['a parameter', {}, (session) => session.declare({ orderId: '4711-a' })],
  ['a test that has ended', {}, (session) => session.close()],
])('nothing happens where there is %s', (_, options, prepare) => {
  const session = openExample(cassette, options)
  prepare?.(session)
  expect(replayAtOnce(session, question('a').wire, 1)).toBeUndefined()
  expect(session.asked).toEqual([])
  expect(session.misses).toEqual([])
})

test('nothing happens where the prompt is not recorded, or what is recorded leads elsewhere', () => {
  const redirect = structuredClone(cassette)
  redirect.exchanges[0]!.wire!.response!.status = 307
  for (const [known, text] of [
    [cassette, 'b'],
    [redirect, 'a'],
  ] as const) {
    const session = openExample(known)
    expect(replayAtOnce(session, question(text).wire, 1)).toBeUndefined()
    expect(session.asked).toEqual([])
    expect(session.misses).toEqual([])
  }
})
