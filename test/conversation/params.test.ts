import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ParamValues } from '../../src/config/check-params.ts'
import { explainMiss } from '../explain/as-reported.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import { Params } from '../../src/conversation/params.ts'
import { recoverCassette } from '../../src/recording/recovered-cassette.ts'
import type { Session } from '../../src/engine/session.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { textOf, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { askedConversations, exchangesOf } from '../../src/recording/asked.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

const ORDER = { orderId: 4711, customer: 'Ada Lovelace' }
const OTHER = { orderId: 5822, customer: 'Bo' + ' Li' }

function bodyOf(text: string, type = 'application/json'): Body {
  return readBody(Buffer.from(text), type)
}

function through(values: ParamValues, text: string, way: 'hide' | 'show', type?: string): string {
  const params = new Params().with(values)
  return textOf(params[way]({ status: 200, headers: {}, body: bodyOf(text, type) }).body)
}

function hide(values: ParamValues, text: string): string {
  return through(values, text, 'hide', 'text/plain')
}

test('a value is found as a whole word or number only', () => {
  expect(hide(ORDER, '4711, #4711. x4711 14711 47110 4711.5 1,4711 order_4711.pdf')).toBe(
    '{{orderId}}, #{{orderId}}. x4711 14711 47110 4711.5 1,4711 order_{{orderId}}.pdf',
  )
})

test('of two values the longer one is found where it stands', () => {
  const values = { name: 'Ada', full: 'Ada Lovelace', last: 'Lovelace' }
  expect(hide(values, 'Ada Lovelace, Ada, Lovelace')).toBe('{{full}}, {{name}}, {{last}}')
})

test('numbers in JSON stay numbers, texts stay texts', () => {
  const stored = through(
    ORDER,
    '{"n":4711,"s":"4711","x":"{\\"n\\":4711,\\"s\\":\\"4711\\"}"}',
    'hide',
  )
  expect(JSON.parse(stored)).toEqual({
    n: '{{orderId:number}}',
    s: '{{orderId}}',
    x: '{"n":"{{orderId:number}}","s":"{{orderId}}"}',
  })
  expect(through(OTHER, stored, 'show')).toBe(
    '{"n":5822,"s":"5822","x":"{\\"n\\":5822,\\"s\\":\\"5822\\"}"}',
  )
  // What is no number in this run cannot be one.
  expect(JSON.parse(through({ orderId: 'A-17' }, stored, 'show'))).toMatchObject({ n: 'A-17' })
})

test('a text that reads like a placeholder is escaped, of declared parameters alone', () => {
  const text = '{{orderId}} {{=orderId}} {{orderId:number}} {{other}} {{4711}}'
  const stored = '{{=orderId}} {{==orderId}} {{=orderId:number}} {{other}} {{{{orderId}}}}'
  expect(hide(ORDER, text)).toBe(stored)
  expect(through(ORDER, stored, 'show', 'text/plain')).toBe(text)
  expect(hide({ else: 'A-17' }, text)).toBe(text)
})

const values = fc.record({
  orderId: fc.integer({ min: 1000 }),
  customer: fc.constantFrom('Bo Li', 'Éa-1'),
})
const pieces = [
  'orderId',
  'customer',
  ':number',
  '=',
  '{',
  '{{',
  '}',
  '}}',
  ' ',
  '"',
  '\n',
  'é',
  '12',
  ',',
]

test('what is hidden comes back, in texts, JSON and streams', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...pieces, 'VALUE', 'NAME'), fc.string()), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(values, texts, fc.integer({ min: 1, max: 7 }), (declared, parts, size) => {
      const { orderId, customer } = declared
      const text = parts
        .map((part) => (part === 'VALUE' ? orderId : part === 'NAME' ? customer : part))
        .join('')
      const json = JSON.stringify({ text, orderId, nested: JSON.stringify({ orderId, text }) })
      const params = new Params().with(declared)
      const events = (json.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []).map((delta) =>
        JSON.stringify({ choices: [{ index: 0, delta: { content: delta } }] }),
      )
      const stream = events.map((event) => `data: ${event}\n\n`).join('')
      const bodies = [
        bodyOf(`x${text}`, 'text/plain'),
        bodyOf(json),
        bodyOf(stream, 'text/event-stream'),
      ]
      for (const [index, body] of bodies.entries()) {
        const hidden = params.hide({ status: 200, headers: {}, body })
        const shown = textOf(params.show(hidden).body)
        // Where a value lies in many events, it comes back in the first of them.
        expect(index === 2 ? contentOf(shown) : shown).toBe(index === 2 ? json : textOf(body))
      }
    }),
  )
})

function contentOf(stream: string): string {
  return Array.from(stream.matchAll(/^data: (.*)$/gm), ([, data]) => {
    return JSON.parse(data!).choices[0].delta.content as string
  }).join('')
}

test('a prompt with other values is the same, and with any other text another one', () => {
  const words = fc.array(fc.constantFrom('{{a}}', '{{b}}', 'big', 'red', '{{', '}}', '='), {
    minLength: 1,
    maxLength: 8,
  })
  const fill = (parts: string[], { a, b }: { a: string; b: string }): string =>
    parts.map((part) => (part === '{{a}}' ? a : part === '{{b}}' ? b : part)).join(' ')
  const [one, other] = [
    { a: 'A-17', b: 'Ada' },
    { a: 'Zoe', b: 'B-18/x' },
  ]
  fc.assert(
    fc.property(words, words, (first, second) => {
      const same = hide(one, fill(first, one)) === hide(other, fill(second, other))
      expect(same).toBe(first.join(' ') === second.join(' '))
    }),
  )
})

function ask(session: Session, text: string): string {
  const { request } = session.params.around({ request: (wire) => wire, response: (wire) => wire })
  const answer = session.answer(readIncoming(request(question(text).wire)), { order: 1 })
  if (answer.action !== 'replay') return answer.action
  return JSON.parse(textOf(answer.response.body)).choices[0].message.content as string
}

function storedCassette(text: string, answer: string): Cassette {
  return { ...recorded([question(text), answer]), params: { orderId: 4711 } }
}

test('the answer has the value of the run, and the test sees what it asked', () => {
  const session = openExample(storedCassette('Order {{orderId}}?', 'Sent {{orderId}}.'))
  session.declare({ orderId: 5822 })
  expect(ask(session, 'Order 5822?')).toBe('Sent 5822.')
  const [exchange] = exchangesOf(session)
  expect(exchange!.completion.text).toBe('Sent 5822.')
  expect(exchange!.prompt.messages[0]!.parts[0]).toMatchObject({ text: 'Order 5822?' })
  expect(JSON.stringify(askedConversations(session))).not.toContain('{{')
})

test('a cassette whose parameters are not declared answers nothing, and says what to declare', () => {
  const session = openExample(storedCassette('Hello', 'Sent {{orderId}}.'))
  expect(ask(session, 'Hello')).toBe('refuse')
  const { failure } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  expect(failure?.code).toBe('miss')
  expect(failure?.details).toContain('cassette.params({ orderId: 4711 })')
})

test('a recording without a parameter replays until its value is asked for', async () => {
  const turns = recorded([question('Hello {{orderId}}'), 'Hi {{orderId}}'])
  const session = openExample(turns)
  session.declare({ orderId: 5822 })
  expect(ask(session, 'Hello {{orderId}}')).toBe('Hi {{orderId}}')
  expect(ask(session, 'Order 5822')).toBe('refuse')
  const hint = explainMiss(session, session.misses[0]!, false).details.split('\n\n').at(-2)!
  expect(hint).toContain(' orderId,')
  await expectGolden(hint, 'not-recorded-with-it')
})

test('a person may write a placeholder', () => {
  const response = {
    text: 'Sent {{orderId}}.',
    tool_calls: [{ tool_name: 'find', parameters: { id: '{{orderId:number}}' } }],
  }
  const prompt = { text: 'Order {{orderId}}?', metadata: {} }
  const written = { id: 'exchange-1', prompt, response }
  const session = openExample({ ...recorded(), exchanges: [written] })
  session.declare({ orderId: 5822 })
  expect(ask(session, 'Order 5822?')).toBe('Sent 5822.')
  const [exchange] = exchangesOf(session)
  expect(exchange!.completion.toolCalls[0]).toMatchObject({ arguments: { id: 5822 } })
})

test('parameters are declared before a request', async () => {
  const session = openExample(storedCassette('Order {{orderId}}?', 'ok'))
  session.declare({ orderId: 5822 })
  ask(session, 'Order 5822?')
  const declare = (): void => session.declare({ other: 'A-17' })
  expect(declare).toThrow(coded('invalid-option'))
  expect(declare).toThrow(/^params: /)
  await expectGolden(await failureOf(declare), 'too-late')
})

test('a recovered recording knows its parameters', () => {
  const { exchanges } = storedCassette('Order {{orderId}}?', 'ok')
  const { request, response } = exchanges[0]!.wire!
  const params = { orderId: 5822, unused: 'A-17' }
  const answer = { order: 1, hash: '', request, response: response!, params }
  const time = '2026-01-01T00:00:00.000Z'
  const recovered = recoverCassette(undefined, { id: 'a', time, answers: [answer] })
  expect(recovered?.params).toEqual({ orderId: 5822 })
})
