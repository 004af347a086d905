import { expect, test } from 'vitest'
import type { CassetteOptions } from '../../../src/config/options.ts'
import type { Fault } from '../../../src/config/fault.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { judgeAttempt, type Verdict } from '../../explain/as-reported.ts'
import type { Session } from '../../../src/engine/session.ts'
import { textOf } from '../../../src/wire/body.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../../src/wire/message.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { exchangesOf } from '../../../src/recording/asked.ts'
import { countRequests } from '../../../src/attempt/count-requests.ts'
import { onlyReplayed } from '../../../src/engine/adopt.ts'
import { expectGolden } from '../../golden.ts'

const plain = recorded([question('a'), 'one'], [question('b'), 'two'])

function open(faults: Fault[], options: CassetteOptions = {}): Session {
  return openExample(plain, { faults, ...options })
}

/** The status of each answer, with how long it is held back. */
function ask(session: Session, ...texts: string[]): Array<number | string> {
  return texts.map((text) => {
    const answer = session.answer(question(text), { order: session.asked.length })
    if (answer.action !== 'replay') return answer.action
    const { delayMs, response } = answer
    return delayMs > 0 ? `${response.status} after ${delayMs} ms` : response.status
  })
}

function judged(session: Session, more: object = {}): Verdict {
  return judgeAttempt(session, { passed: true, now: new Date('2026-06-01'), color: false, ...more })
}

test('an error comes before what is recorded, as often as declared', () => {
  const session = open(['429 twice'])
  expect(ask(session, 'a', 'a', 'a', 'b')).toEqual([429, 429, 200, 200])
  expect(judged(session)).toEqual({})
  expect(exchangesOf(session)).toHaveLength(2)
})

test('a fault can wait for one exchange, and faults add up', () => {
  const session = open([{ status: 503, on: 'exchange-2' }, 'delay 200ms', 'delay 1s once'])
  expect(ask(session, 'a', 'b', 'b')).toEqual([
    '200 after 1200 ms',
    '503 after 200 ms',
    '200 after 200 ms',
  ])
})

test('an application that gives up asks no further, and is not accused of that', () => {
  const session = open(['529 always'])
  expect(ask(session, 'a', 'a')).toEqual([529, 529])
  expect(judged(session)).toEqual({})
})

test('a fault that never happens fails a passing test', async () => {
  const session = open(['cut after event 9', '429 once'])
  ask(session, 'a', 'a', 'b')
  const { failure } = judged(session)
  expect(failure!.code).toBe('unused')
  expect(failure!.headline.endsWith(": 'cut after event 9'")).toBe(true)
  await expectGolden(failure!.headline, 'never-happened')
  expect(onlyReplayed(session)).toBe(false)
  expect(judged(session, { passed: false })).toEqual({})
})

test.for(['all', 'new'] as const)(
  'in mode %s faults are left out, and it is said',
  async (mode) => {
    const session = open(['429 once'], { mode })
    for (const text of ['a', 'b', 'c']) {
      const answer = session.answer(question(text), { order: session.asked.length })
      if (answer.action !== 'record') continue
      const [exchange] = recorded([question(text), 'live']).exchanges
      answer.recording.response = exchange!.wire!.response!
    }
    const { save, warning } = judged(session)
    expect(save!.exchanges.map(({ wire }) => wire!.response!.status)).toEqual([200, 200, 200])
    expect(warning!.endsWith(": '429 once'")).toBe(true)
    await expectGolden(warning!, 'left-out')
  },
)

test.for(['all', 'new'] as const)(
  'in mode %s a failing test is told of the faults left out',
  (mode) => {
    const session = open(['503 always'], { mode })
    const answer = session.answer(question('a'), { order: 0 })
    if (answer.action === 'record') answer.recording.response = plain.exchanges[0]!.wire!.response!
    const { failure, park } = judged(session, { passed: false })
    expect(failure!.code).toBe('unused')
    expect(failure!.headline.endsWith(": '503 always'")).toBe(true)
    const isRecorded = mode === 'all'
    expect(failure!.details.includes('npx vitest-cassette review')).toBe(isRecorded)
    expect(park !== undefined).toBe(isRecorded)
    expect(judged(open([], { mode }), { passed: false }).failure).toBeUndefined()
  },
)

test('in mode prompts faults happen, and a changed prompt keeps its answer all the same', () => {
  const session = open(['503 always'], { mode: 'prompts' })
  const changed = question('a changed', { messages: [{ role: 'user', content: 'a!' }] })
  for (const order of [0, 1]) {
    const answer = session.answer(changed, { order })
    expect(answer).toMatchObject({ action: 'replay', response: { status: 503 } })
  }
  expect(judged(session, { passed: false }).failure).toBeUndefined()
  const { save, warning, failure } = judged(session)
  expect({ warning, failure }).toEqual({})
  expect(save!.exchanges.map(({ prompt, response }) => [prompt.text, response])).toMatchObject([
    ['a!', { text: 'one', kept: true }],
    ['b', { text: 'two' }],
  ])
  expect(countRequests(session, true, { verdict: { save: save! } }).kept).toBe(1)
})

test('a stream is cut after an event, and comes whole at the next try', () => {
  const incoming = question('a', { stream: true })
  const response: WireResponse = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: readBody(
      Buffer.from('data: {"one":1}\n\ndata: {"two":2}\n\ndata: [DONE]\n\n'),
      'text/event-stream',
    ),
  }
  const cassette = { ...plain, exchanges: describeTurns([{ incoming, response }]) }
  const session = openExample(cassette, { faults: [{ cutAfterEvent: 2 }] })
  const answers = [1, 2].map((order) => {
    const answer = session.answer(incoming, { order })
    if (answer.action !== 'replay') throw new Error(answer.action)
    return answer.response
  })
  expect(textOf(answers[0]!.body)).toBe('data: {"one":1}\n\ndata: {"two":2}\n\n')
  expect(answers[0]!.cut).toBe(true)
  expect(answers[1]).toEqual(response)
})

const wires: Array<[string, string, object]> = [
  ['openai', 'https://api.openai.com/v1/chat/completions', { code: 'rate_limit_exceeded' }],
  ['anthropic', 'https://api.anthropic.com/v1/messages', { type: 'rate_limit_error' }],
  [
    'gemini',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
    { code: 429, status: 'RESOURCE_EXHAUSTED' },
  ],
]

test.for(wires)('an error is named as %s names it', ([, url, error]) => {
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }], content: 'Hi' }]
  const body = { model: 'm', max_tokens: 9, messages: contents, contents }
  const wire: WireRequest = {
    method: 'POST',
    url,
    body: readBody(Buffer.from(JSON.stringify(body))),
  }
  const incoming = readIncoming(wire)
  const [exchange] = plain.exchanges
  const cassette = {
    ...plain,
    exchanges: describeTurns([{ incoming, response: exchange!.wire!.response! }]),
  }
  const session = openExample(cassette, { faults: [{ status: 429, retryAfter: 2 }] })
  const answer = session.answer(incoming, { order: 1 })
  if (answer.action !== 'replay') throw new Error(answer.action)
  expect(answer.response.headers).toMatchObject({ 'retry-after': '2' })
  expect(JSON.parse(textOf(answer.response.body))).toMatchObject({ error })
})
