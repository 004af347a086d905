import { expect, test } from 'vitest'
import type { CassetteOptions } from '../../src/config/options.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import { openExample } from './example-session.ts'

const HOST = 'https://queue.fal.run/fal-ai/flux/requests'

const poll = (job: string): Incoming =>
  readIncoming({ method: 'GET', url: `${HOST}/${job}/status`, body: { kind: 'empty' } })

const start = (prompt: string): Incoming =>
  readIncoming({ method: 'POST', url: HOST, body: readText(JSON.stringify({ prompt })) })

/** A job that was started, looked after three times, and fetched. */
const TURNS: [Incoming, string][] = [
  [start('a lawn'), 'started'],
  [poll('a'), 'queued'],
  [poll('a'), 'running'],
  [poll('a'), 'done'],
  [start('a hat'), 'started too'],
]

function open(options: CassetteOptions = {}): Session {
  const exchanges = describeTurns(
    TURNS.map(([incoming, text]) => ({
      incoming,
      response: { status: 200, headers: {}, body: readText(JSON.stringify({ text })) },
    })),
  )
  const cassette = { conversationId: 'a > b', timestamp: '2026-01-01T00:00:00.000Z', exchanges }
  return openExample(cassette, options)
}

function run(
  session: Session,
  ...asked: Incoming[]
): [answers: string[], code?: string, unused?: number | undefined] {
  const answers = asked.map((incoming, order) => {
    const answer = session.answer(incoming, { order: order + 1 })
    return answer.action === 'replay'
      ? (JSON.parse(textOf(answer.response.body)) as { text: string }).text
      : answer.action
  })
  const now = new Date('2026-06-01')
  const { failure, unused } = judgeAttempt(session, { passed: true, now, color: false })
  return failure ? [answers, failure.code, unused] : [answers]
}

const [lawn, hat] = [start('a lawn'), start('a hat')]

test.each([{}, { unordered: false }])(
  'a poll is answered in the order recorded, with %j',
  (options) => {
    const answers = ['started', 'queued', 'running', 'done', 'started too']
    expect(run(open(options), lawn, poll('a'), poll('a'), poll('a'), hat)).toEqual([answers])
  },
)

test.each([{}, { unordered: false }])(
  'a poll that is asked once more has its last answer, with %j',
  (options) => {
    const answers = ['started', 'queued', 'running', 'done', 'done', 'done', 'started too']
    const five = Array.from({ length: 5 }, () => poll('a'))
    expect(run(open(options), lawn, ...five, hat)).toEqual([answers])
  },
)

test.each([{}, { unordered: false }])(
  'a poll that is asked less often fails nothing, with %j',
  (options) => {
    expect(run(open(options), lawn, poll('a'), hat)).toEqual([['started', 'queued', 'started too']])
  },
)

test('a poll that is not asked at all is missing', () => {
  expect(run(open(), lawn, hat)).toEqual([['started', 'started too'], 'unused', 3])
})

test('another job is another poll, and what starts a job is none', () => {
  expect(run(open(), lawn, poll('b'))[0]).toEqual(['started', 'refuse'])
  expect(run(open(), lawn, lawn)[0]).toEqual(['started', 'refuse'])
})

test('the order of what is no poll counts as before', () => {
  expect(run(open({ unordered: false }), hat)[0]).toEqual(['refuse'])
  expect(run(open({ unordered: false }), lawn, hat)[0]).toEqual(['started', 'refuse'])
})
