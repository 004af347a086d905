import { expect, test } from 'vitest'
import { readIncoming } from '../../../src/engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { jsonOf } from '../../../src/wire/body.ts'
import type { WireResponse } from '../../../src/wire/message.ts'
import { openExample } from '../../engine/example-session.ts'
import { writtenFile } from '../../engine/written-file.ts'
import { requestTo } from '../../providers/wire.ts'

const TRACED = { choices: [{ text: 'Or that.', reasoning: 'Hm.' }, { text: 'Or none.' }] }

/** The answer to a request of an exchange whose trace has three choices. */
function answerTo(
  url: string,
  body: JsonObject,
  response: JsonObject = { text: 'Take this.' },
): WireResponse {
  const exchange = { prompt: { text: 'Which?', metadata: { traced: TRACED } }, response }
  const session = openExample(writtenFile(exchange))
  const answer = session.answer(readIncoming(requestTo(url, body)), { order: 1 })
  if (answer.action !== 'replay') throw new Error('not replayed')
  return answer.response
}

const CHAT = 'https://api.openai.com/v1/chat/completions'
const asked = { model: 'm', messages: [{ role: 'user', content: 'Which?' }] }

/** The choices of a stream: their numbers, each with its pieces. */
function piecesIn({ body }: WireResponse): JsonValue[] {
  if (body.kind !== 'events') throw new Error('no stream')
  return body.events.flatMap((event) => {
    const data = typeof event === 'string' ? null : (event.data as JsonObject)
    const [{ index, delta, finish_reason: reason }] = (data?.choices ?? [{}]) as [JsonObject]
    return index === undefined ? [] : [[index, reason ?? (delta as JsonObject).content ?? null]]
  })
}

test('a stream ends with the end of its first choice, which has the usage', () => {
  const answer = answerTo(CHAT, { ...asked, n: 3, stream: true })
  expect(piecesIn(answer)).toEqual([
    [0, ''],
    [0, 'Take '],
    [0, 'this.'],
    [1, ''],
    [1, null],
    [1, 'Or '],
    [1, 'that.'],
    [1, 'stop'],
    [2, ''],
    [2, 'Or '],
    [2, 'none.'],
    [2, 'stop'],
    [0, 'stop'],
  ])
  const { body } = answer
  const events = body.kind === 'events' ? body.events : []
  expect(events.filter((event) => JSON.stringify(event).includes('"usage"'))).toHaveLength(1)
  expect(events.at(-1)).toEqual({ data: '[DONE]' })
})

test('a request for two of three gets the first two', () => {
  const value = jsonOf(answerTo(CHAT, { ...asked, n: 2 }).body) as JsonObject
  expect(value.choices).toMatchObject([
    { index: 0, message: { content: 'Take this.' } },
    { index: 1, message: { content: 'Or that.', reasoning_content: 'Hm.' } },
  ])
  expect(value.choices).toHaveLength(2)
})

test.for([{}, { n: 1 }, { n: 0 }, { n: null }, { n: 'two' }])(
  'a request with %j gets the first',
  (more) => {
    const value = jsonOf(answerTo(CHAT, { ...asked, ...more } as JsonObject).body) as JsonObject
    expect(value.choices).toHaveLength(1)
  },
)

test('text completions have choices, too', () => {
  const url = 'https://api.openai.com/v1/completions'
  const value = jsonOf(answerTo(url, { model: 'm', prompt: 'Which?', n: 3 }).body) as JsonObject
  expect(value.choices).toMatchObject([
    { index: 0, text: 'Take this.' },
    { index: 1, text: 'Or that.' },
    { index: 2, text: 'Or none.' },
  ])
})

test('a stream of Gemini that is an array has the other candidates in its last piece', () => {
  const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3'
  const body = {
    contents: [{ role: 'user', parts: [{ text: 'Which?' }] }],
    generationConfig: { candidateCount: 3 },
  }
  const pieces = jsonOf(answerTo(`${url}:streamGenerateContent`, body).body) as JsonObject[]
  const indexes = pieces.map(({ candidates }) =>
    (candidates as JsonObject[]).map(({ index }) => index),
  )
  expect(indexes).toEqual([[0], [0], [0, 1, 2]])
  expect(pieces.at(-1)).toMatchObject({
    candidates: [
      { finishReason: 'STOP' },
      {
        content: { parts: [{ text: 'Hm.', thought: true }, { text: 'Or ' }, { text: 'that.' }] },
        finishReason: 'STOP',
      },
      { content: { parts: [{ text: 'Or ' }, { text: 'none.' }] }, finishReason: 'STOP' },
    ],
    usageMetadata: {},
  })
})

test('an error, and an answer that broke off, have no choices', () => {
  const failed = answerTo(CHAT, { ...asked, n: 2 }, { error: 'Too fast.', status: 429 })
  expect([failed.status, JSON.stringify(failed.body)]).toEqual([
    429,
    expect.not.stringContaining('choices'),
  ])
  const broken = answerTo(
    CHAT,
    { ...asked, n: 2, stream: true },
    { text: 'Take', incomplete: true },
  )
  expect(JSON.stringify(broken.body)).not.toContain('that')
})
