import { expect, test } from 'vitest'
import type { Cassette, Exchange } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import type { Mode } from '../../src/config/mode.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { Session } from '../../src/engine/session.ts'
import { explainMiss } from '../explain/as-reported.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { Imported } from '../../src/wire/imported.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { type WayOut, waysOut } from '../../src/explain/ways-out.ts'
import { expectGolden } from '../golden.ts'

const CHAT = 'https://api.openai.com/v1/chat/completions'
const MESSAGES = 'https://api.anthropic.com/v1/messages'

interface Recorded {
  url?: string
  method?: string
  answer?: WireResponse
  mark?: Omit<Imported, 'from'>
}

const answer = (text: string): WireResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: readBody(Buffer.from(JSON.stringify({ choices: [{ message: { content: text } }] }))),
})

const streamed = (text: string): WireResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: readBody(
    Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`),
    'text/event-stream',
  ),
})

function cassetteOf(...all: Recorded[]): Cassette {
  const turns = all.map(({ url = CHAT, method = 'POST', answer: response, mark }) => ({
    incoming: readIncoming({
      method,
      url,
      body: { kind: 'empty' },
      imported: { from: 'har', unknown: ['body'], ...mark },
    }),
    response: response ?? answer('Here.'),
  }))
  const timestamp = '2026-01-01T00:00:00.000Z'
  return { conversationId: 'a.test.ts > asks', timestamp, exchanges: describeTurns(turns) }
}

function open(cassette: Cassette, mode: Mode, unordered = true): Session {
  return new Session({
    test: {
      id: 'a.test.ts > asks',
      cassette: '__recordings__/a.json',
      blobs: '',
      asked: '',
      recordCommand: 'npx vitest-cassette record a.test.ts',
    },
    config: { ...resolveConfig({ unordered }, { ci: false, recordInCi: false }), mode },
    load: () => cassette,
    rare: () => rareCases,
  })
}

function ask(content: string, more: object = {}, url: string = CHAT): WireRequest {
  const body = { model: 'm', messages: [{ role: 'user', content }], ...more }
  return { method: 'POST', url, body: readText(JSON.stringify(body)) }
}

let order = 0

/** What a session answers: the text of the answer, or nothing. */
function say(session: Session, wire: WireRequest): string | undefined {
  const answered = session.answer(readIncoming(wire), { order: order++ })
  return answered.action === 'replay' ? textOf(answered.response.body) : undefined
}

const OUTCOME = { passed: true, now: new Date('2026-02-01T00:00:00Z'), color: false }

test('in replay it answers nothing, and the miss says which command takes the prompt over', async () => {
  const session = open(cassetteOf({}), 'replay')
  expect(say(session, ask('Hi'))).toBe(undefined)
  const { headline, details } = explainMiss(session, session.misses[0]!, false)
  expect(headline).toMatch(/ exchange-1: .* har, /)
  const [{ command, takes }] = waysOut(session, session.misses[0]!) as [WayOut]
  expect(command).toBe('npx vitest-cassette record --prompts a.test.ts')
  expect(details).toContain(`${takes}:\n    ${command}\n`)
  await expectGolden(takes, 'takes-prompts-over')
})

test('in mode prompts it answers in order, and is compared from then on', () => {
  const recorded = cassetteOf({ answer: answer('one') }, { answer: answer('two') })
  const session = open(recorded, 'prompts')
  expect(say(session, ask('First?'))).toContain('one')
  expect(say(session, ask('Second?'))).toContain('two')
  expect(say(session, ask('Third?'))).toBe(undefined)
  session.misses.length = 0
  const { save } = judgeAttempt(session, OUTCOME)
  const marks = save!.exchanges.map(({ wire }) => wire!.request.imported)
  expect(marks).toEqual([undefined, undefined])
  expect(save!.exchanges.map(({ prompt }) => prompt.text)).toEqual(['First?', 'Second?'])
  expect(save!.exchanges.some(({ response }) => 'kept' in response)).toBe(false)

  const strict = open(save!, 'replay')
  expect(say(strict, ask('First?'))).toContain('one')
  expect(say(strict, ask('Second!'))).toBe(undefined)
})

test('what the run does not ask for stays without a prompt, and the rest is taken over', () => {
  const session = open(cassetteOf({}, {}, { url: MESSAGES }), 'prompts')
  say(session, ask('Hi'))
  const { save, failure } = judgeAttempt(session, OUTCOME)
  expect(failure).toBe(undefined)
  expect(save!.exchanges.map(({ wire }) => wire!.request.imported?.unknown)).toEqual([
    undefined,
    ['body'],
    ['body'],
  ])
})

test.for<[what: string, recorded: Recorded, asked: WireRequest, fits: boolean]>([
  ['another host', { url: MESSAGES }, ask('Hi'), false],
  ['another path', { url: 'https://api.openai.com/v1/responses' }, ask('Hi'), false],
  ['another method', { method: 'PUT' }, ask('Hi'), false],
  ['a form', { mark: { kind: 'form' } }, ask('Hi'), false],
  ['JSON', { mark: { kind: 'json' } }, ask('Hi'), true],
  ['a plain answer where a stream is asked', {}, ask('Hi', { stream: true }), false],
  ['a stream', { answer: streamed('Here') }, ask('Hi', { stream: true }), true],
  [
    'an unknown host',
    {
      url: 'https://unknown.invalid/v1/chat/completions',
      mark: { unknown: ['host', 'body'] },
    },
    ask('Hi'),
    true,
  ],
  [
    'an unknown address, with an answer of this format',
    {
      url: 'https://unknown.invalid/',
      mark: { unknown: ['method', 'host', 'path', 'body'] },
    },
    ask('Hi'),
    true,
  ],
  [
    'an unknown address, with an answer of another format',
    {
      url: 'https://unknown.invalid/',
      mark: { unknown: ['method', 'host', 'path', 'body'] },
    },
    ask('Hi', { max_tokens: 9 }, MESSAGES),
    false,
  ],
])('%s: whether it fits', ([, recorded, asked, fits]) => {
  const session = open(cassetteOf(recorded), 'prompts')
  expect(say(session, asked) !== undefined).toBe(fits)
})

test('where the order counts, it waits for those before it', async () => {
  const session = open(cassetteOf({ url: MESSAGES }, {}), 'prompts', false)
  expect(say(session, ask('Hi'))).toBe(undefined)
  await expectGolden(session.misses[0]!.notKept!, 'out-of-turn')
})

test('an answer in the words of another tool is written in the format that is asked, and keeps its place', () => {
  const request: WireRequest = {
    method: 'POST',
    url: 'https://unknown.invalid/',
    body: { kind: 'empty' },
    imported: { from: 'aimock', unknown: ['method', 'host', 'path', 'headers', 'body'] },
  }
  const [{ prompt }] = cassetteOf({}).exchanges as [Exchange]
  const cassette = {
    ...cassetteOf(),
    exchanges: [{ id: 'exchange-1', prompt, response: { text: 'Hello.' }, wire: { request } }],
  }
  expect(say(open(cassette, 'replay'), ask('Hi'))).toBe(undefined)

  const session = open(cassette, 'prompts')
  expect(say(session, ask('Hi', { stream: true }))).toContain('chat.completion.chunk')
  const { save } = judgeAttempt(session, OUTCOME)
  const stored = parseCassette(printCassette(encodeCassette(save!, 'schema.json').stored))
  const read = decodeCassette(stored, () => Buffer.of())
  expect(read.exchanges[0]).toMatchObject({
    prompt: { text: 'Hi', hash: readIncoming(ask('Hi', { stream: true })).hash },
    response: { text: 'Hello.' },
    wire: { request: { url: CHAT } },
  })
  expect(read.exchanges[0]!.wire!.request.imported).toBe(undefined)
  expect(say(open(read, 'replay'), ask('Hi', { stream: true }))).toContain('Hello.')
  expect(say(open(read, 'replay'), ask('Hi!', { stream: true }))).toBe(undefined)
})
