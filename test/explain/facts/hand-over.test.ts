import { expect, test } from 'vitest'
import { judgeAttempt, type Verdict } from '../as-reported.ts'
import type { Session } from '../../../src/engine/session.ts'
import { chat, speak } from '../../engine/chat.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

const cassette = recorded(
  [chat('Order 7?'), 'Which shop?'],
  [chat('system: You sum up.', 'All of it'), 'a summary'],
  [chat('Order 7?', 'Which shop?', 'Bern'), 'Sent.'],
  [chat('system: You sum up.', 'All of it', 'a summary', 'Shorter'), 'short'],
  [chat('Order 7?', 'Which shop?', 'Bern', 'Sent.', 'Thanks'), 'Bye.'],
)

function judged(session: Session, more: object = {}): Verdict {
  return judgeAttempt(session, { passed: true, now: new Date('2026-06-01'), color: false, ...more })
}

/** Leaves the recording of the first conversation at its second question. */
function handOver(): Session {
  const session = openExample(cassette, { mode: 'new' })
  expect(speak(session, chat('Order 7?'))).toBe('Which shop?')
  expect(speak(session, chat('Order 7?', 'Which shop?', 'Basel'))).toBe('live')
  return session
}

/** Where the details say that the conversation left its recording, and what that replaces. */
function leftIn(details: string): string | undefined {
  return /^ *left +(.*)/m.exec(details)?.[1]
}

test('a conversation goes live at its first unrecorded prompt, and others do not', () => {
  const session = handOver()
  expect(speak(session, chat('system: You sum up.', 'All of it'))).toBe('a summary')
  expect(speak(session, chat('Order 7?', 'Which shop?', 'Basel', 'live', 'Thanks'))).toBe('live')
  const last = chat('system: You sum up.', 'All of it', 'a summary', 'Shorter')
  expect(speak(session, last)).toBe('short')
})

test('the cassette becomes the kept prefix and the new tail, and the stale tail goes', async () => {
  const session = handOver()
  speak(session, chat('Order 7?', 'Which shop?', 'Basel', 'live', 'Thanks'), 'Good bye.')
  speak(session, chat('system: You sum up.', 'All of it'))
  const { save, handOvers } = judged(session)
  expect(save!.exchanges.map(({ response }) => response.text)).toEqual([
    'Which shop?',
    'live',
    'Good bye.',
    'a summary',
  ])
  expect(handOvers).toHaveLength(1)
  const [{ headline, text }] = handOvers as [NonNullable<typeof handOvers>[number]]
  expect(headline).toContain(' 2 of 3: message 3 (user): ')
  expect(headline).toContain('("Bern" → "Basel")')
  expect(leftIn(text)).toMatch(/^exchange-3, 2 /)
  await expectGolden(`${headline}\n\n${text}`, 'saved')

  const again = openExample(save, { mode: 'replay' })
  const asked = session.asked.map(({ recording, ...asked }) =>
    recording ? recording.incoming : (asked as { incoming: ReturnType<typeof chat> }).incoming,
  )
  for (const incoming of asked) expect(speak(again, incoming)).not.toBe('refuse')
  expect(judged(again)).toEqual({})
})

test('a prompt that happens to be recorded goes live with its conversation', () => {
  // The application sends the end of its history alone.
  const window = recorded(
    [chat('A'), 'one'],
    [chat('A', 'one', 'B'), 'two'],
    [chat('B', 'two', 'C'), 'three'],
  )
  const other = openExample(window, { mode: 'new' })
  expect(speak(other, chat('A'))).toBe('one')
  expect(speak(other, chat('A', 'one', 'B!'), 'two')).toBe('two')
  expect(speak(other, chat('B', 'two', 'C'))).toBe('live')
  expect(judged(other).save!.exchanges.map(({ response }) => response.text)).toEqual([
    'one',
    'two',
    'live',
  ])
})

test('asked beside a conversation that went live, what goes on from its prefix still replays', () => {
  const forks = recorded(
    [chat('A'), 'one'],
    [chat('A', 'one', 'B'), 'two'],
    [chat('A', 'one', 'C'), 'three'],
  )
  const session = openExample(forks, { mode: 'new' })
  expect(speak(session, chat('A'))).toBe('one')
  expect(speak(session, chat('A', 'one', 'B!'))).toBe('live')
  expect(speak(session, chat('A', 'one', 'C'))).toBe('three')
  expect(judged(session).handOvers![0]!.headline).toContain(' 2 of 2')
})

test('where the recording ends, the conversation goes on after it', async () => {
  const session = openExample(recorded([chat('A'), 'one']), { mode: 'new' })
  speak(session, chat('A'))
  expect(speak(session, chat('A', 'one', 'B'))).toBe('live')
  const { handOvers, save } = judged(session)
  expect(handOvers).toHaveLength(1)
  expect(leftIn(handOvers![0]!.text)).toBeUndefined()
  await expectGolden(handOvers![0]!.headline, 'recording-ended')
  expect(save!.exchanges).toHaveLength(2)
})

test('a first prompt that changed is shown against what nobody asked, a new conversation is not', () => {
  const session = openExample(cassette, { mode: 'new' })
  speak(session, chat('Order 8?'))
  speak(session, chat('system: You sum up.', 'All of it'))
  expect(judged(session).handOvers!.map(({ headline }) => headline)).toEqual([
    expect.stringMatching(/ 1 of 3: message 1 \(user\): .* \("7\?" → "8\?"\)$/),
  ])
  const added = openExample(recorded([chat('A'), 'one']), { mode: 'new' })
  speak(added, chat('A'))
  speak(added, chat('Something else'))
  expect(judged(added).handOvers).toBeUndefined()
  expect(judged(added).save!.exchanges).toHaveLength(2)
})

test('in a part of a run the stale tail goes too, and what else was not asked for stays', () => {
  const { save } = judged(handOver(), { partial: true })
  expect(save!.exchanges.map(({ response }) => response.text)).toEqual([
    'Which shop?',
    'a summary',
    'short',
    'live',
  ])
})

test('where the test fails, it says where it left, and nothing is replaced', async () => {
  const { handOvers, park, save } = judged(handOver(), { passed: false })
  expect(save).toBeUndefined()
  expect(park).toBeDefined()
  const left = leftIn(handOvers![0]!.text)!
  expect(left).toMatch(/^exchange-3, 2 /)
  await expectGolden(left, 'not-saved')
})

test('in mode replay the first divergence is the only error', () => {
  const session = openExample(cassette)
  speak(session, chat('Order 7?'))
  expect(speak(session, chat('Order 7?', 'Which shop?', 'Basel'))).toBe('refuse')
  expect(speak(session, chat('Order 7?', 'Which shop?', 'Bern', 'Sent.', 'Thanks'))).toBe('Bye.')
  const { failure, handOvers } = judged(session)
  expect(failure!.code).toBe('miss')
  expect(failure!.missed![0]!.changes).toMatchObject([{ before: 'Bern', after: 'Basel' }])
  expect(handOvers).toBeUndefined()
})

test('an exchange that answered more than once is kept once', () => {
  const session = openExample(recorded([question('a'), 'one']), { mode: 'new', repeats: 'last' })
  for (const text of ['a', 'a', 'b', 'a']) speak(session, question(text))
  expect(judged(session).save!.exchanges.map(({ prompt }) => prompt.text)).toEqual(['a', 'b'])
})

test('a hand-over tells all that changed as a miss does, parameters and models as such', () => {
  const before = question('hi', { temperature: 0.5 })
  const now = question('hi', { temperature: 0.7, model: 'gpt-4.1' })
  const live = openExample(recorded([before, 'ok']), { mode: 'new' })
  expect(speak(live, now)).toBe('live')
  const { headline } = judged(live).handOvers![0]!
  const strict = openExample(recorded([before, 'ok']))
  strict.answer(now, { order: 1 })
  const { failure } = judged(strict)
  expect(headline).toMatch(/ 1 of 1: model: .* 1 more change$/)
  expect(failure!.headline.endsWith(headline.slice(headline.indexOf(': ')))).toBe(true)
  expect(failure!.missed![0]!.changes!.map(({ place }) => place)).toEqual(['model', 'temperature'])
})
