import { expect, test } from 'vitest'
import { judgeAttempt } from '../explain/as-reported.ts'
import type { Session } from '../../src/engine/session.ts'
import { chat, speak } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { askWritten, judged, nextOrder, says, writtenFile } from '../engine/written-file.ts'

function record(session: Session, text: string): void {
  const answer = session.answer(question(text), { order: nextOrder() })
  if (answer.action !== 'record') throw new Error(`${answer.action} instead of record`)
  answer.recording.response = recorded([
    question(text),
    `recorded ${text}`,
  ]).exchanges[0]!.wire!.response!
}

const file = writtenFile(says('a', 'one'), { id: 'farewell', ...says('z', 'bye') })

test('in mode new what was written stays as it was, and what is missing is added', () => {
  const session = openExample(file, { mode: 'new' })
  expect(askWritten(session, question('a'))!.text).toBe('one')
  record(session, 'b')
  expect(askWritten(session, question('z'))!.text).toBe('bye')
  const [first, second, third] = judged(session).save!.exchanges
  expect(first).toEqual(file.exchanges[0])
  expect(second).toMatchObject({ id: 'exchange-2', response: { text: 'recorded b' } })
  expect(third).toEqual(file.exchanges[1])
})

test('in mode new nothing is lost that a person wrote, even if the conversation went on another way', () => {
  const session = openExample(writtenFile(says('a', 'one'), says('b', 'two'), says('c', 'three')), {
    mode: 'new',
  })
  expect(speak(session, chat('a'))).toBe('one')
  speak(session, chat('a', 'one', 'other'))
  const texts = judged(session).save!.exchanges.map(({ prompt }) => prompt.text)
  expect(texts).toEqual(['a', 'other', 'b', 'c'])
})

test('what goes on from a written exchange shows what is new in it', () => {
  const session = openExample(writtenFile(says('a', 'one')), { mode: 'new' })
  expect(speak(session, chat('a'))).toBe('one')
  speak(session, chat('a', 'one', 'b'))
  expect(judged(session).save!.exchanges[1]!.prompt.text).toBe('b')
})

test('in a part of a run what was not asked for stays too', () => {
  const session = openExample(file, { mode: 'new' })
  record(session, 'b')
  const attempt = { passed: true, partial: true, now: new Date(), color: false }
  const { exchanges } = judgeAttempt(session, attempt).save!
  expect(exchanges.slice(0, 2)).toEqual(file.exchanges)
  expect(exchanges[2]).toMatchObject({ id: 'exchange-3', response: { text: 'recorded b' } })
})

test('in mode all it is replaced', () => {
  const session = openExample(file, { mode: 'all' })
  record(session, 'a')
  const { exchanges } = judged(session).save!
  expect(exchanges).toHaveLength(1)
  expect(exchanges[0]).toMatchObject({ response: { text: 'recorded a' } })
  expect(exchanges[0]!.wire).toBeDefined()
})
