import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeBody } from '../../src/wire/body.ts'
import { readBody, readRequestBody } from '../../src/wire/read-body.ts'
import { bareJson } from '../bare-json.ts'

function roundTrip(bytes: Uint8Array, contentType?: string): Uint8Array {
  return Buffer.concat(writeBody(readBody(bytes, contentType)))
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test.for([
  ['compact', '{"a":1,"b":[true,null]}'],
  ['two spaces and a line end', '{\n  "a": 1,\n  "b": [\n    1\n  ],\n  "c": {}\n}\n'],
  ['four spaces', '{\n    "a": 1\n}'],
  ['Python', '{"a": 1, "b": [1, 2], "c": "x"}'],
  ['escaped beyond ASCII', '{"a":"caf\\u00e9 \\ud83d\\ude00"}'],
  ['numbers with their zeros', '{"temperature":1.0,"top_p":0.50}'],
])('JSON spelled as %s is a value and keeps every byte', ([, text]) => {
  const body = readBody(encode(text!))
  expect(body.kind).toBe('json')
  expect(roundTrip(encode(text!))).toEqual(Buffer.from(text!))
})

test.for([
  ['no JSON', 'Service unavailable'],
  ['a key twice', '{"a":1,"a":2}'],
  ['a byte order mark', '\uFEFF{"a":1}'],
])('a body with %s is text and keeps every byte', ([, text]) => {
  expect(readBody(encode(text!)).kind).toBe('text')
  expect(roundTrip(encode(text!))).toEqual(Buffer.from(text!))
})

test.for([
  ['{"a":1, "b" :" 2 "}', '{"a": 1, "b": " 2 "}'],
  ['{"a": [{"b": 1}],"c": "x"}', '{"a": [{"b": 1}], "c": "x"}'],
  ['{ "a": [1,  2] }\n', '{"a": [1, 2]}\n'],
  ['{\n          "a": 1\n}', '{"a":1}'],
  ['{"caf\\u00e9":1 }', '{"caf\\u00e9":1}'],
])('white space that no layout has is lost, and only that: %j', ([text, kept]) => {
  const body = readBody(encode(text!))
  expect(body.kind).toBe('json')
  expect(Buffer.concat(writeBody(body)).toString()).toBe(kept)
})

test('bytes that are no UTF-8 stay bytes', () => {
  const bytes = new Uint8Array([0xff, 0xfb, 0x90, 0x00])
  expect(readBody(bytes, 'audio/mpeg').kind).toBe('bytes')
  expect(roundTrip(bytes, 'audio/mpeg')).toEqual(Buffer.from(bytes))
})

const STREAMS = {
  openai: 'data: {"id":"1","delta":"a"}\n\ndata: {"id":"1","delta":"b"}\n\ndata: [DONE]\n\n',
  anthropic:
    'event: message_start\ndata: {"type":"message_start"}\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  gemini: 'data: {"text": "a"}\r\n\r\ndata: {"text": "b"}\r\n\r\n',
  openrouter: ': OPENROUTER PROCESSING\n\ndata: {"id":1}\n\n',
  'data first': 'data: {"a":1}\nevent: x\n\n',
  'several data lines': 'data: one\ndata: two\n\n',
  'cut in an event': 'data: {"a":1}\n\ndata: {"b":',
  'nothing but white space': '\n\n',
}

test.for(Object.entries(STREAMS))(
  'a stream of %s keeps every byte and is delivered event by event',
  ([, text]) => {
    const pieces = writeBody(readBody(encode(text), 'text/event-stream; charset=utf-8'))
    expect(Buffer.concat(pieces).toString()).toBe(text)
    const events = text.split(/(?<=\r\n\r\n|\n\n)/).length
    expect(pieces).toHaveLength(events)
  },
)

const ODDLY_SPACED =
  'event: message_start\ndata: {"type":"message_start"}\n\nevent: ping\ndata: {"type": "ping"}\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0    }\n\n'

test('the data of an event is a value where it is JSON, whatever white space pads it', () => {
  const body = readBody(encode(ODDLY_SPACED), 'text/event-stream')
  expect(body.kind === 'events' && body.events).toEqual([
    { event: 'message_start', data: { type: 'message_start' } },
    { event: 'ping', data: { type: 'ping' } },
    { event: 'content_block_stop', data: { type: 'content_block_stop', index: 0 } },
  ])
  const pieces = writeBody(body)
  expect(pieces).toHaveLength(3)
  expect(bareJson(Buffer.concat(pieces).toString())).toBe(bareJson(ODDLY_SPACED))
})

test('any bytes come back as they were but for white space in JSON, whatever their content type', () => {
  const streamed = fc
    .array(
      fc.constantFrom(
        'data: ',
        'event: x',
        '\n',
        '\r\n',
        '\n\n',
        '{"a":1}',
        ' ',
        ':',
        '[DONE]',
        'é',
      ),
    )
    .map((parts) => encode(parts.join('')))
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), fc.json().map(encode), streamed),
      fc.constantFrom('application/json', 'text/event-stream', ''),
      (bytes, contentType) => {
        const [sent, back] = [bytes, roundTrip(bytes, contentType)].map((all) =>
          Buffer.from(all).toString('latin1'),
        )
        if (sent!.includes('{')) expect(bareJson(back!)).toBe(bareJson(sent!))
        else expect(back).toBe(sent)
      },
    ),
    { numRuns: 500 },
  )
})

test('an answer nested too deeply is kept as text', () => {
  const deep = '['.repeat(5_000) + '1.0' + ']'.repeat(5_000)
  expect(readBody(encode(deep)).kind).toBe('text')
  const stream = `data: ${deep}\n\n`
  expect(Buffer.from(roundTrip(encode(stream), 'text/event-stream')).toString()).toBe(stream)
})

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":{"b":[{"c":1, "c" :2}]}}',
  '[{"a":1,"\\u0061":2}]',
])('a request in which a key stands twice is kept as its text: %s', (text) => {
  expect(readRequestBody(encode(text), 'application/json')).toEqual({ kind: 'text', text })
})

test.each([
  '{"a":"\\":","b":"a\\\\"}',
  '{"a":{"a":{"a":1.0}},"b":[{"a":1},{"a":1e400}]}',
  '{"__proto__":1,"constructor":"x:","": {}}',
  '["a","a",{"a": ":"}]',
])('a request in which no key stands twice is JSON: %s', (text) => {
  expect(readRequestBody(encode(text), 'application/json').kind).toBe('json')
})

test('how the JSON of a request is spelled does not count', () => {
  const value = { a: [1, 'é'], b: null }
  for (const text of [
    JSON.stringify(value),
    JSON.stringify(value, null, 3),
    '{"b" :null,"a":[1,"\\u00e9"]}',
  ])
    expect(readRequestBody(encode(text), 'application/json')).toEqual({
      kind: 'json',
      value,
      layout: {},
    })
})
