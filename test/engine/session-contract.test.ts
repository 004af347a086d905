import { expect, test } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import type { TestOptions } from '../../src/config/options.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { readText } from '../../src/wire/body.ts'
import { openExample, question, recorded } from './example-session.ts'
import { exchangesOf, usageOfAsked } from '../../src/recording/asked.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

const nowhere: Environment = { ci: false, recordInCi: false }

function configure(session: Session, options: TestOptions): () => void {
  return () => session.configure(options, nowhere)
}

test('what was asked and got can be read, in the order asked', () => {
  const session = openExample(recorded([question('a'), 'one'], [question('b'), 'two']))
  session.answer(question('b'), { order: 2 })
  session.answer(question('a'), { order: 1 })
  session.answer(question('missed'), { order: 3 })
  expect(exchangesOf(session)).toMatchObject([
    { source: 'replayed', status: 200, prompt: { model: 'gpt-5' }, completion: { text: 'one' } },
    { source: 'replayed', status: 200, completion: { text: 'two' } },
  ])
  expect(exchangesOf(session)[0]).toBe(exchangesOf(session)[0])
})

test('the prompt is the one of this run, not the recorded one', () => {
  const session = openExample(recorded([question('a', { user: 'then' }), 'one']), {
    volatile: ['$.user'],
  })
  session.answer(readIncoming(question('a', { user: 'now' }).wire, { volatile: ['$.user'] }), {
    order: 1,
  })
  expect(exchangesOf(session)[0]!.prompt.parameters).toEqual({ user: 'now' })
})

test('an exchange that a person wrote says so, and costs nothing', () => {
  const session = openExample({
    conversationId: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: [
      { id: 'exchange-1', prompt: { text: 'a', metadata: {} }, response: { text: 'By hand.' } },
    ],
  })
  session.answer(question('a', { model: 'nobody-knows' }), { order: 1 })
  expect(exchangesOf(session)).toMatchObject([
    { source: 'written', completion: { text: 'By hand.' }, prompt: { model: 'nobody-knows' } },
  ])
  expect(usageOfAsked(session, exchangesOf(session))).toMatchObject({
    cost: 0,
    unpriced: 0,
    uncounted: 0,
    unaskedCounts: 0,
  })
})

test('a recording is among them once its answer has ended', () => {
  const session = openExample(undefined, { mode: 'new' })
  const answer = session.answer(question('a'), { order: 1 })
  if (answer.action !== 'record') throw new Error(answer.action)
  answer.recording.response = {
    status: 429,
    headers: { 'content-type': 'application/json' },
    body: readText('{"error": {"message": "slow down"}}'),
  }
  expect(exchangesOf(session)).toEqual([])
  answer.recording.durationMs = 7
  expect(exchangesOf(session)).toMatchObject([
    { source: 'recorded', status: 429, durationMs: 7, completion: { error: 'slow down' } },
  ])
})

test('options of an attempt count from then on, and for it alone', () => {
  const [one, other] = [openExample(undefined), openExample(undefined)]
  configure(one, { mode: 'new', unused: 'warn' })()
  expect(one.config).toMatchObject({ mode: 'new', unused: 'warn', repeats: 'strict' })
  expect(other.config).toMatchObject({ mode: 'replay', unused: 'fail' })
})

test('RECORD wins over the mode of a test, and CI does not record', () => {
  const session = openExample(undefined)
  session.configure({ mode: 'new' }, { ...nowhere, ci: true })
  expect(session.config.mode).toBe('replay')
  session.configure({ mode: 'replay' }, { ...nowhere, record: '1' })
  expect(session.config.mode).toBe('all')
})

test('after the first request only what is judged at the end can be changed', async () => {
  const session = openExample(recorded([question('a'), 'one']))
  session.answer(question('a'), { order: 1 })
  configure(session, { unused: 'warn', recordErrors: true })()
  const late: TestOptions[] = [
    { mode: 'new' },
    { repeats: 'last' },
    { volatile: [] },
    { hosts: [] },
  ]
  for (const options of late) {
    const set = configure(session, options)
    expect(set).toThrow(coded('invalid-option'))
    expect(set).toThrow(`${Object.keys(options).join()}: `)
    expect(set).toThrow('a.test.ts > asks')
  }
  const first = await failureOf(configure(session, late[0]!))
  session.late.end(-1)
  expect(configure(session, { unused: 'fail' })).toThrow(/^unused: /)
  const ended = await failureOf(configure(session, { unused: 'fail' }))
  await expectGolden(`${first}\n\n${ended}`, 'set-too-late')
})
