import { describe, expect, test } from 'vitest'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { writeBody } from '../../../src/wire/body.ts'
import { coded } from '../../golden.ts'

const FIRST = {
  id: 'exchange-1',
  prompt: { text: ['system: ', 'Be brief.', '\nuser: ', 'Where?'] },
  request: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: {
      model: 'gpt-5',
      messages: [
        { role: 'system', content: { $: 'prompt.1-2' } },
        { role: 'user', content: { $: 'prompt.3-4' } },
      ],
      n: 1,
    },
  },
  response: {
    text: 'On its way.',
    sent: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      renewed: ['chatcmpl-1', 1795710407],
      body: { id: { $: 0 }, created: { $: 1 }, said: { $: 'text' }, asked: { $: '/messages/1' } },
    },
  },
}

function second(body: JsonValue, sent: object = { text: 'Yes.' }): string {
  const request = { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', body }
  const response = { sent: { status: 200, headers: {}, ...sent } }
  const exchange = { id: 'exchange-2', prompt: { text: 'And when?' }, request, response }
  return JSON.stringify({
    version: '2.0',
    conversation_id: 'a.test.ts > asks',
    exchanges: [FIRST, exchange],
    timestamp: '2026-01-01T00:00:00.000Z',
  })
}

/** What is sent by the request and by the response of an exchange. */
function read(text: string, at: number): [request: string, response: string] {
  const { exchanges } = decodeCassette(parseCassette(text), () => Buffer.from('a file'))
  const { wire } = exchanges[at]!
  const [request, response] = [wire!.request.body, wire!.response!.body].map((body) =>
    Buffer.concat(writeBody(body)).toString(),
  )
  return [request!, response!]
}

test('an exchange refers to its own prompt, text, renewed values and request', () => {
  const [request, response] = read(second({}), 0)
  expect(JSON.parse(request)).toEqual({
    model: 'gpt-5',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where?' },
    ],
    n: 1,
  })
  expect(response).toBe(
    '{"id":"chatcmpl-1","created":1795710407,"said":"On its way.","asked":{"role":"user","content":"Where?"}}',
  )
})

test.for<[title: string, body: JsonValue, sent: string]>([
  ['a renewed value', [{ $: 'exchange-1.0' }, { $: 'exchange-1.1' }], '["chatcmpl-1",1795710407]'],
  [
    'the text and the prompt',
    [{ $: 'exchange-1.text' }, { $: 'prompt' }],
    '["On its way.","And when?"]',
  ],
  ['strings of a prompt', [{ $: 'exchange-1.prompt.0-2' }], '["system: Be brief."]'],
  ['a value of a request', [{ $: 'exchange-1/messages/0/content' }], '["Be brief."]'],
  [
    'texts that are joined',
    [{ $join: ['order ', { $: 'exchange-1.0' }, '!'] }],
    '["order chatcmpl-1!"]',
  ],
  [
    'a number among texts, as it is spelled',
    [{ $join: ['at ', { $: 'exchange-1.1' }] }],
    '["at 1795710407"]',
  ],
  ['a file', [{ $file: `${'a'.repeat(64)}.png`, before: 'data:image/png;base64,' }], ''],
  [
    'a body like another',
    { $like: 'exchange-1', $without: ['n'], messages: [{ $items: [0, 2] }, 'new'], stream: true },
    '{"model":"gpt-5","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where?"},"new"],"stream":true}',
  ],
  [
    'items of a list, in another order',
    { $like: 'exchange-1', messages: [{ $items: [1, 2] }, { $items: [0, 1], $of: 'exchange-1' }] },
    '{"model":"gpt-5","messages":[{"role":"user","content":"Where?"},{"role":"system","content":"Be brief."}],"n":1}',
  ],
  [
    'keys of the data that look like markers',
    { $$: 1, $$each: [2], $$$like: 3, $ref: '#/$defs/a', $schema: 'x' },
    '{"$":1,"$each":[2],"$$like":3,"$ref":"#/$defs/a","$schema":"x"}',
  ],
])('%s', ([title, body, sent]) => {
  // A file that is not its name is refused.
  if (sent === '') expect(() => read(second(body), 1)).toThrow(coded('invalid-cassette'))
  else expect(read(second(body), 1)[0], title).toBe(sent)
})

describe('what leads nowhere is refused', () => {
  test.for<JsonValue>([
    [{ $: 'exchange-2.text' }],
    [{ $: 'exchange-3.text' }],
    [{ $: 'exchange-1.2' }],
    [{ $: 'exchange-1.answer' }],
    [{ $: 'exchange-1/messages/2' }],
    [{ $: 'prompt.0-1' }],
    [{ $: 'exchange-1.prompt.3-5' }],
    [{ $: 'exchange-1.prompt.2-2' }],
    [{ $: 0 }],
    [{ $: 'text' }],
    [{ $: '/messages' }],
    [{ $: 'prompt', more: 1 }],
    [{ more: 1, $: 'prompt' }],
    [{ $join: ['a', null] }],
    [{ $join: ['a', { $: 'exchange-1/messages' }] }],
    [{ $join: 'a' }],
    [{ $items: [0, 1] }],
    [{ $like: 'exchange-1' }],
    { $like: 'exchange-2' },
    { $like: 'exchange-1', $without: ['other'] },
    { $like: 'exchange-1', messages: [{ $items: [0, 3] }] },
    { $like: 'exchange-1', messages: [{ $items: [1, 1] }] },
    { $like: 'exchange-1', messages: [{ $items: [0, 1], $of: 'exchange-2' }] },
    { $like: 'exchange-1', others: [{ $items: [0, 1] }] },
    [{ $without: ['n'] }],
    [{ $of: 'exchange-1' }],
  ])('%j', (body) => {
    expect(() => read(second(body), 1)).toThrow(coded('invalid-cassette'))
  })
})

test('an item with $each stands for one event for each of its values', () => {
  const sent = {
    named: true,
    eol: '\r\n',
    events: [
      { type: 'delta', text: { $each: ['It ', 'was '] }, n: { $each: [1, 2] } },
      [': comment\r\n\r\n'],
      ['error', { type: 'other' }],
      '[DONE]',
    ],
  }
  expect(read(second({}, sent), 1)[1]).toBe(
    [
      'event: delta\r\ndata: {"type":"delta","text":"It ","n":1}\r\n\r\n',
      'event: delta\r\ndata: {"type":"delta","text":"was ","n":2}\r\n\r\n',
      ': comment\r\n\r\n',
      'event: error\r\ndata: {"type":"other"}\r\n\r\n',
      'data: [DONE]\r\n\r\n',
    ].join(''),
  )
})

test.for<JsonValue>([
  { events: [{ a: { $each: [] } }] },
  { events: [{ a: { $each: ['x'] }, b: { $each: ['x', 'y'] } }] },
  { events: [1] },
  { events: [['a', 'b', 'c']] },
  { lines: [1] },
  { frames: [{ event: 'a' }] },
])('a stream with a broken item is refused: %j', (sent) => {
  expect(() => read(second({}, sent as object), 1)).toThrow(coded('invalid-cassette'))
})
