import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RecordedExchange } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { explainMiss } from '../explain/as-reported.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { Matcher } from '../../src/engine/match.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import type { Session } from '../../src/engine/session.ts'
import { exchangesOf } from '../../src/recording/asked.ts'
import * as hashing from '../../src/prompt/sha256.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { openExample, question, recorded } from './example-session.ts'

const TWO = recorded([question('a'), 'one'], [question('b'), 'two'])
const A = question('a').wire
const RULES = { repeats: 'strict', unordered: false } as const

const open = (cassette = TWO): Matcher => new Matcher(cassette, { rare: () => rareCases })

/** Whether a request is answered by its very words, by its hash, or not at all. */
function ask(matcher: Matcher, wire: WireRequest): string | undefined {
  const next = matcher.next(readIncoming(wire), RULES)
  if (!next) return undefined
  next.recorded.played++
  return next.isVerbatim ? 'verbatim' : 'hash'
}

test('each request is answered in its turn word for word, and nothing is hashed', () => {
  const matcher = open()
  const sha256 = vi.spyOn(hashing, 'sha256')
  onTestFinished(() => sha256.mockRestore())
  expect(ask(matcher, A)).toBe('verbatim')
  expect(ask(matcher, question('b').wire)).toBe('verbatim')
  expect(matcher.unused).toEqual([])
  expect(sha256).not.toHaveBeenCalled()
  expect(ask(open(), { ...A, body: readText('a') })).toBeUndefined()
  expect(sha256).toHaveBeenCalled()
})

test('the order of keys is no other word', () => {
  const { model, messages } = JSON.parse(textOf(A.body))
  const body = readText(JSON.stringify({ messages, model }))
  expect(ask(open(), { ...A, body })).toBe('verbatim')
})

test('the order of properties is another word, and comes back from the file', () => {
  const schema = (properties: JsonObject): Incoming =>
    question('a', {
      response_format: { type: 'json_schema', json_schema: { schema: { properties } } },
    })
  const known = schema({ reason: { type: 'string' }, answer: { type: 'string' } })
  const { stored } = encodeCassette(recorded([known, 'one']), 'schema.json')
  const cassette = decodeCassette(parseCassette(printCassette(stored)), () => Buffer.of())
  expect(ask(open(cassette), known.wire)).toBe('verbatim')
  const other = schema({ answer: { type: 'string' }, reason: { type: 'string' } })
  expect(ask(open(cassette), other.wire)).toBeUndefined()
  const failed = openExample(cassette)
  const answer = failed.answer(other, { order: 1 })
  expect(answer.action === 'refuse' && explainMiss(failed, answer.miss, false).headline).toContain(
    'response_format.json_schema.schema.properties (order): reason, answer → answer, reason',
  )
})

test.each([
  ['one word more', question('a!').wire],
  ['a parameter more', question('a', { temperature: 0 }).wire],
  ['what is recorded later', question('b').wire],
  ['another address', { ...A, url: 'https://api.openai.com/v1/responses' }],
  ['another method', { ...A, method: 'PUT' }],
  ['a header that counts', { ...A, headers: { 'ai-model-id': 'openai/gpt-5' } }],
  ['a text that is no JSON', { ...A, body: readText('a') }],
])('%s is not answered, and nothing has happened', (_, wire) => {
  const matcher = open()
  expect(ask(matcher, wire)).toBeUndefined()
  expect(ask(matcher, A)).toBe('verbatim')
})

test('what was redacted is found by its hash', () => {
  const redact = (wire: WireRequest): WireRequest => ({ ...wire, body: A.body })
  const next = open().next(readIncoming(question('secret').wire, { redact }), RULES)
  expect(next).toMatchObject({ isVerbatim: false, recorded: { exchange: { id: 'exchange-1' } } })
})

test('an answer that leads elsewhere is given as it is recorded', () => {
  const [first, second] = TWO.exchanges as RecordedExchange[]
  const { request, response } = first!.wire
  const redirect = { ...first!, wire: { request, response: { ...response, status: 307 } } }
  const session = openExample({ ...TWO, exchanges: [redirect, second!] })
  const answer = session.answer(question('a'), { order: 1 })
  expect(answer).toMatchObject({ action: 'replay', response: { status: 307 } })
})

/** The same prompt in other words: it can only be found by its hash. */
function reworded({ wire }: Incoming): Incoming {
  const body = { kind: 'text' as const, text: textOf(wire.body) }
  return readIncoming({ ...wire, body }, { volatile: ['uuid'] })
}

const worded = ({ wire }: Incoming): Incoming => readIncoming(wire, { volatile: ['uuid'] })

test('whatever is asked, word for word or not, the answers and what is left are those by hash', () => {
  const [one, other] = ['1', '2'].map(
    (digit) => `id ${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
  )
  const texts = fc.array(fc.constantFrom('a', 'b', one!, other!, `${one} ${other}`), {
    maxLength: 5,
  })
  const repeats = fc.constantFrom('strict' as const, 'last' as const, 'cycle' as const)
  fc.assert(
    fc.property(texts, texts, repeats, fc.boolean(), (known, asked, repeats, unordered) => {
      // Of prompts that differ only in what does not count, words decide where the order does not.
      fc.pre(!unordered || !known.includes(one!) || !known.includes(other!))
      const cassette = recorded(
        ...known.map((text, place) => [question(text), `${text}${place}`] as [Incoming, string]),
      )
      const options: CassetteOptions = { repeats, unordered, volatile: ['uuid'] }
      const play = (read: (incoming: Incoming) => Incoming): [Session, unknown[]] => {
        const session = openExample(cassette, options)
        const answers = asked.map((text, order) => {
          const answer = session.answer(read(question(text)), { order })
          return answer.action === 'replay' ? textOf(answer.response.body) : answer.action
        })
        return [session, answers]
      }
      const [byWord, answers] = play(worded)
      const [byHash, expected] = play(reworded)
      expect(answers).toEqual(expected)
      expect(exchangesOf(byWord).map(({ completion }) => completion)).toEqual(
        exchangesOf(byHash).map(({ completion }) => completion),
      )
      expect(byWord.unused.map(({ exchange }) => exchange.id)).toEqual(
        byHash.unused.map(({ exchange }) => exchange.id),
      )
    }),
  )
})
