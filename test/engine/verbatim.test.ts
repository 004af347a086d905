import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../src/cassette/format/cassette.ts'
import { askAgain, replayAtOnce } from '../../src/engine/replay-at-once.ts'
import { mayBeVerbatim, Verbatim } from '../../src/engine/verbatim.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { readText, textOf } from '../../src/wire/body.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import { openExample, question, recorded } from './example-session.ts'

const TWO = recorded([question('a'), 'one'], [question('b'), 'two'])
const A = question('a').wire

/** What an answer says. */
const told = (answer?: WireResponse): string | undefined =>
  answer && JSON.parse(textOf(answer.body)).choices[0].message.content

/** A cassette whose first exchange is another. */
function changed(change: (first: RecordedExchange) => RecordedExchange): Cassette {
  const [first, ...others] = TWO.exchanges as RecordedExchange[]
  return { ...TWO, exchanges: [change(first!), ...others] }
}

test('each request is answered in its turn, and all of them are the whole', () => {
  const verbatim = new Verbatim(TWO)
  expect(verbatim.isWhole).toBe(false)
  expect(told(verbatim.answer(A, 1))).toBe('one')
  expect(verbatim.isWhole).toBe(false)
  expect(told(verbatim.answer(question('b').wire, 2))).toBe('two')
  expect(verbatim.isWhole).toBe(true)
  expect(verbatim.answer(A, 3)).toBeUndefined()
})

test('the order of keys is no other word', () => {
  const { model, messages } = JSON.parse(textOf(A.body))
  const body = readText(JSON.stringify({ messages, model }))
  expect(told(new Verbatim(TWO).answer({ ...A, body }, 1))).toBe('one')
})

test.each([
  ['one word more', question('a!').wire],
  ['a parameter more', question('a', { temperature: 0 }).wire],
  ['what is recorded later', question('b').wire],
  ['another address', { ...A, url: 'https://api.openai.com/v1/responses' }],
  ['another method', { ...A, method: 'PUT' }],
  ['a header that counts', { ...A, headers: { 'ai-model-id': 'openai/gpt-5' } }],
  ['what came before on a socket', { ...A, after: 'exchange-0' }],
  ['a text that is no JSON', { ...A, body: readText('a') }],
])('%s is not answered, and nothing has happened', (_, wire) => {
  const verbatim = new Verbatim(TWO)
  expect(verbatim.answer(wire, 1)).toBeUndefined()
  expect(told(verbatim.answer(A, 2))).toBe('one')
})

test.each<[string, Cassette]>([
  ['parameters', { ...TWO, params: { name: 'a' } }],
  [
    'an answer written by hand',
    changed(({ id, prompt, response }) => ({ id, prompt, response }) as RecordedExchange),
  ],
  [
    'a redirect in its turn',
    changed(({ wire: { request, response }, ...exchange }) => ({
      ...exchange,
      wire: { request, response: { ...response, status: 307 } },
    })),
  ],
])('a cassette with %s is for the session', (_, cassette) => {
  expect(new Verbatim(cassette).answer(A, 1)).toBeUndefined()
})

test.each<[string, CassetteOptions]>([
  ['a mode that records', { mode: 'new' }],
  ['faults', { faults: ['429 once'] }],
  ['a function that finds what varies', { volatile: [() => []] }],
  ['what is to be left out', { redact: [/a/] }],
  ['pictures that look alike', { images: { match: 'phash' } }],
  ['failures that are counted', { maxFailures: 3 }],
  ['a function that judges recordings', { whyInvalid: () => undefined }],
])('where there are options for %s, so is every cassette', (_, options) => {
  const plain = { volatile: ['uuid' as const, /\d+/] }
  expect(mayBeVerbatim(resolveConfig(plain, { ci: false, recordInCi: false }))).toBe(true)
  expect(mayBeVerbatim(resolveConfig(options, { ci: false, recordInCi: false }))).toBe(false)
})

test('whatever is asked, the answers and what is left are those of a session that was there from the beginning', () => {
  const [one, other] = ['1', '2'].map(
    (digit) => `id ${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
  )
  const texts = fc.array(fc.constantFrom('a', 'b', one!, other!), { maxLength: 5 })
  const repeats = fc.constantFrom('strict' as const, 'last' as const, 'cycle' as const)
  fc.assert(
    fc.property(texts, texts, repeats, fc.boolean(), (known, asked, repeats, unordered) => {
      const cassette = recorded(
        ...known.map((text, place) => [question(text), `${text}${place}`] as [never, string]),
      )
      const options: CassetteOptions = { repeats, unordered, volatile: ['uuid'] }
      const ask = (session: ReturnType<typeof openExample>, text: string, order: number) =>
        told(replayAtOnce(session, question(text).wire, order))

      const whole = openExample(cassette, options)
      const expected = asked.map((text, order) => ask(whole, text, order))

      const verbatim = new Verbatim(cassette)
      let later: ReturnType<typeof openExample> | undefined
      const open = () => {
        const session = openExample(cassette, options)
        askAgain(session, verbatim)
        return session
      }
      const answers = asked.map((text, order) => {
        const answer = later ? undefined : told(verbatim.answer(question(text).wire, order))
        return answer ?? ask((later ??= open()), text, order)
      })
      later ??= open()
      expect(answers).toEqual(expected)
      expect(later.exchanges).toEqual(whole.exchanges)
      expect(later.unused.map(({ exchange }) => exchange.id)).toEqual(
        whole.unused.map(({ exchange }) => exchange.id),
      )
    }),
  )
})
