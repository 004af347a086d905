import { expect, test } from 'vitest'
import type { CassetteOptions } from '../../src/config/options.ts'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { explainMiss } from '../explain/as-reported.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import type { Session } from '../../src/engine/session.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { readRequestBody } from '../../src/wire/read-body.ts'
import { expectGolden } from '../golden.ts'
import { openExample, question, recorded } from './example-session.ts'

const A = '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f'
const B = '11111111-5d4a-4c6b-9e8f-0a1b2c3d4e5f'
const C = '22222222-5d4a-4c6b-9e8f-0a1b2c3d4e5f'
const D = '33333333-5d4a-4c6b-9e8f-0a1b2c3d4e5f'

let order = 0

/** Asks in a session as an application does, and returns the text of the answer, or why there is none. */
function ask(session: Session, text: string, more?: JsonObject): string {
  const { wire } = question(text, more)
  const answer = session.answer(readIncoming(wire, { volatile: session.config.volatile }), {
    order: order++,
  })
  if (answer.action !== 'replay') return answer.action
  return JSON.parse(JSON.stringify(answer.response.body)).value.choices[0].message.content as string
}

function open(
  turns: Array<[asked: string | Incoming, answer: string]>,
  volatile: VolatileRule[],
  options: CassetteOptions = {},
): Session {
  const read = turns.map(([asked, answer]): [Incoming, string] => [
    typeof asked === 'string' ? question(asked) : asked,
    answer,
  ])
  return openExample(recorded(...read), { volatile, ...options })
}

test('the answer has the values of this run in place of the recorded ones', () => {
  const session = open([[`ticket ${A} of ${B}`, `Closed ${A}, not ${B}x but ${B}.`]], ['uuid'])
  expect(ask(session, `ticket ${C} of ${D}`)).toBe(`Closed ${C}, not ${B}x but ${D}.`)
})

test('values that change places within the answer are not replaced twice', () => {
  const session = open([[`${A} and ${B}`, `${A}, ${B}`]], ['uuid'])
  expect(ask(session, `${B} and ${A}`)).toBe(`${B}, ${A}`)
})

test('without a rule the answer is the recorded one itself', () => {
  const cassette = recorded([question('a'), 'b'])
  const session = openExample(cassette)
  const answer = session.answer(question('a'), { order: 1 })
  expect(answer.action === 'replay' && answer.response).toBe(cassette.exchanges[0]!.wire!.response)
})

test('a value that the answer invented may be sent back', () => {
  const session = open(
    [
      [`open ${A}`, `made ${B}`],
      [`open ${A}, use ${B}`, `used ${B}`],
    ],
    ['uuid'],
  )
  expect(ask(session, `open ${C}`)).toBe(`made ${B}`)
  expect(ask(session, `open ${C}, use ${B}`)).toBe(`used ${B}`)
})

test('a value that stands for one recorded value may not become another one later', async () => {
  const turns: Array<[string, string]> = [
    [`first ${A} and ${B}`, 'ok'],
    [`then ${A}`, 'ok'],
  ]
  expect(ask(open(turns, ['uuid']), `first ${C} and ${D}`)).toBe('ok')
  const kept = open(turns, ['uuid'])
  ask(kept, `first ${C} and ${D}`)
  expect(ask(kept, `then ${C}`)).toBe('ok')
  const swapped = open(turns, ['uuid'])
  ask(swapped, `first ${C} and ${D}`)
  expect(ask(swapped, `then ${D}`)).toBe('refuse')
  expect(swapped.misses[0]!.conflict).toMatchObject({
    before: { recorded: A, live: C },
    now: { recorded: A, live: D },
  })
  const changed = explainMiss(swapped, swapped.misses[0]!, false)
  const merged = open([...turns, [`last ${B}`, 'ok']], ['uuid'])
  expect(ask(merged, `then ${C}`)).toBe('ok')
  expect(ask(merged, `last ${C}`)).toBe('refuse')
  expect(merged.misses[0]!.conflict).toMatchObject({
    before: { recorded: A, live: C },
    now: { recorded: B, live: C },
  })
  const same = explainMiss(merged, merged.misses[0]!, false)
  for (const value of [A, C, D]) expect(changed.headline).toContain(value)
  const texts = [changed, same].map(({ headline, details }) => `${headline}\n\n${details}`)
  await expectGolden(texts.join('\n\n---\n\n'), 'conflicts')
})

test('the order in which equal prompts arrive does not count', () => {
  const turns: Array<[string, string]> = [
    [`job ${A}`, `did ${A}`],
    [`job ${B}`, `did ${B}`],
    [`both ${A} ${B}`, 'ok'],
  ]
  const session = open(turns, ['uuid'])
  expect(ask(session, `job ${D}`)).toBe(`did ${D}`)
  expect(ask(session, `job ${C}`)).toBe(`did ${C}`)
  expect(ask(session, `both ${D} ${C}`)).toBe('ok')
})

test.for([
  ['two become one', ['10:00:00Z', '10:00:07Z'], ['08:00:00Z', '08:00:00Z']],
  ['one becomes two', ['10:00:00Z', '10:00:00Z'], ['08:00:00Z', '08:00:01Z']],
] as const)('times go on while a test runs, so in a replay %s', ([, recorded, live]) => {
  const turns: Array<[string, string]> = [
    [`at 2026-01-01T${recorded[0]} one`, 'a'],
    [`at 2026-01-01T${recorded[1]} two`, 'b'],
    [`from 2026-01-01T${recorded[0]} to 2026-01-01T${recorded[1]} by ${A}`, `c ${A}`],
  ]
  const session = open(turns, ['iso-datetime', 'uuid'])
  expect(ask(session, `at 2027-05-05T${live[0]} one`)).toBe('a')
  expect(ask(session, `at 2027-05-05T${live[1]} two`)).toBe('b')
  const range = `from 2027-05-05T${live[0]} to 2027-05-05T${live[1]}`
  expect(ask(session, `${range} by ${B}`)).toBe(`c ${B}`)
})

test('two dates of different requests may become one in a replay, which is faster than its recording', () => {
  const turns: Array<[string, string]> = [
    ['on 2026-01-01 one', 'a'],
    ['on 2026-01-02 two', 'b'],
  ]
  const session = open(turns, ['date-phrase'])
  expect(ask(session, 'on 2027-05-05 one')).toBe('a')
  expect(ask(session, 'on 2027-05-05 two')).toBe('b')
})

test('a diff names no number for a time, since which times are equal does not count', () => {
  const turns: Array<[string, string]> = [
    ['from 2026-01-01T10:00:00Z to 2026-01-01T10:00:07Z: one', 'a'],
  ]
  const session = open(turns, ['iso-datetime'])
  expect(ask(session, 'from 2027-05-05T08:00:00Z to 2027-05-05T08:00:00Z: two')).toBe('refuse')
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain('from <iso-datetime> to <iso-datetime>: [-one-]')
})

test('an application may repeat an answer where nothing is declared', () => {
  const user = (id: string): JsonObject => ({ metadata: { user: id } })
  const turns: Array<[Incoming, string]> = [
    [question('who am I', user('user-1')), 'You are user-1.'],
    [question('You said: You are user-1.', user('user-1')), 'I did, user-1.'],
  ]
  const session = open(turns, ['$.metadata.user'])
  expect(ask(session, 'who am I', user('user-2'))).toBe('You are user-2.')
  expect(ask(session, 'You said: You are user-2.', user('user-2'))).toBe('I did, user-2.')

  // The same words, but nobody was given them.
  const other = open(turns, ['$.metadata.user'])
  expect(ask(other, 'You said: You are user-2.', user('user-2'))).toBe('refuse')
})

test('an ordinary word at a path is not searched in answers', () => {
  const turns: Array<[Incoming, string]> = [
    [question('hi', { metadata: { team: 'support' } }), 'I support you.'],
  ]
  const session = open(turns, ['$.metadata.team'])
  expect(ask(session, 'hi', { metadata: { team: 'sales' } })).toBe('I support you.')
})

test('what mode new adds is kept with the values of the recording', () => {
  const session = open([[`open ${A}`, `made ${A}`]], ['uuid'], { mode: 'new' })
  const before = session.recorded
  expect(ask(session, `open ${C}`)).toBe(`made ${C}`)
  expect(before).toEqual([])
  const asked = readIncoming(question(`close ${C} for ${D}`).wire, { volatile: ['uuid'] })
  const answer = session.answer(asked, { order: order++ })
  if (answer.action !== 'record') throw new Error(answer.action)
  answer.recording.response = {
    status: 200,
    headers: {},
    body: readText(JSON.stringify({ choices: [{ message: { content: `closed ${C}` } }] })),
  }
  const { save } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  const [first, second] = save!.exchanges
  expect(first!.wire).toEqual(session.cassette!.exchanges[0]!.wire)
  expect(JSON.stringify(second!.wire)).toContain(`close ${A} for ${D}`)
  expect(JSON.stringify(second!.wire)).toContain(`closed ${A}`)

  const replay = openExample(save, { volatile: ['uuid'] })
  expect(ask(replay, `open ${B}`)).toBe(`made ${B}`)
  expect(ask(replay, `close ${B} for ${C}`)).toBe(`closed ${B}`)
})

test('what mode new adds after an answer is kept as if this had been the recorded one', () => {
  const user = (id: string): JsonObject => ({ metadata: { user: id } })
  const turns: Array<[Incoming, string]> = [
    [question('who am I', user('user-1')), 'You are user-1.'],
  ]
  const session = open(turns, ['$.metadata.user'], { mode: 'new' })
  ask(session, 'who am I', user('user-2'))
  const { wire } = question('You said: You are user-2.', user('user-2'))
  const answer = session.answer(readIncoming(wire, { volatile: ['$.metadata.user'] }), {
    order: order++,
  })
  if (answer.action !== 'record') throw new Error(answer.action)
  answer.recording.response = { status: 200, headers: {}, body: readText('{"choices":[]}') }
  const { save } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  expect(save!.exchanges[1]!.wire!.request).toEqual(
    question('You said: You are user-1.', user('user-1')).wire,
  )
})

test.for([
  [
    'a text that is no JSON',
    'text/plain',
    (id: string, same: string) => `job ${id}, again ${same}`,
  ],
  [
    'lines',
    'application/x-ndjson',
    (id: string, same: string) => `{"a":"${id}"}\n{"b":"${same}"}\n`,
  ],
  [
    'a form',
    'multipart/form-data; boundary=x',
    (id: string, same: string) =>
      [`name="a"\r\n\r\njob ${id}`, `name="b"\r\n\r\njob ${same}`]
        .map((part) => `--x\r\ncontent-disposition: form-data; ${part}\r\n`)
        .join('') + '--x--\r\n',
  ],
] as const)('values keep their identity throughout %s', ([, contentType, write]) => {
  const hash = (one: string, other: string): string => {
    const body = readRequestBody(Buffer.from(write(one, other)), contentType)
    return readIncoming(
      { method: 'POST', url: 'https://api.openai.com/v1/files', body },
      { volatile: ['uuid'] },
    ).hash
  }
  expect(hash(A, A)).toBe(hash(B, B))
  expect(hash(A, B)).toBe(hash(C, D))
  expect(hash(A, A)).not.toBe(hash(A, B))
})

test('an answer that may repeat is not repeated for another value', () => {
  const session = open([[`job ${A}`, 'ok']], ['uuid'], { repeats: 'last' })
  expect(ask(session, `job ${C}`)).toBe('ok')
  expect(ask(session, `job ${C}`)).toBe('ok')
  expect(ask(session, `job ${D}`)).toBe('refuse')
  expect(session.misses[0]!.conflict).toMatchObject({ now: { recorded: A, live: D } })
})
