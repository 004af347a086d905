import { EventStreamCodec } from '@smithy/core/event-streams'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { restoreBody } from '../../src/cassette/format/bodies.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { frameText, splitFrames, writeFrame, type Frame } from '../../src/wire/amazon-frames.ts'
import { textOf, writeBody } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { exampleCassette, exampleExchange } from '../cassette/example-cassette.ts'
import { bodyThroughFile } from '../cassette/through-file.ts'
import { coded } from '../golden.ts'

const TYPE = 'application/vnd.amazon.eventstream'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(bytes as Uint8Array),
  (text) => encode(text),
)

function frame(headers: Record<string, string>, payload: string | Uint8Array): Buffer {
  const named = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }])
  const body = typeof payload === 'string' ? encode(payload) : payload
  return Buffer.from(codec.encode({ headers: Object.fromEntries(named), body }))
}

function event(type: string, payload: string | Uint8Array): Buffer {
  const rest = { ':content-type': 'application/json', ':message-type': 'event' }
  return frame({ ':event-type': type, ...rest }, payload)
}

function roundTrip(bytes: Uint8Array, type: string = TYPE): Buffer {
  return Buffer.concat(writeBody(bodyThroughFile(readBody(bytes, type))))
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const START = event('messageStart', '{"p":"abc","role":"assistant"}')
const DELTA = event('contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"Hé"}}')
const STOP = event('messageStop', '{"stopReason":"end_turn"}')

test('reads the frames of an answer', () => {
  const body = readBody(Buffer.concat([START, DELTA, STOP]), TYPE)
  expect(body).toEqual({
    kind: 'frames',
    frames: [
      { event: 'messageStart', data: { p: 'abc', role: 'assistant' } },
      { event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { text: 'Hé' } } },
      { event: 'messageStop', data: { stopReason: 'end_turn' } },
    ],
  })
  expect(textOf(body).split('\n')).toHaveLength(3)
  expect(writeBody(body).map((piece) => Buffer.from(piece))).toEqual([START, DELTA, STOP])
})

test('knows a stream by its first frame, whatever its content type', () => {
  const bytes = Buffer.concat([START, STOP])
  for (const type of ['', 'application/json', 'text/event-stream']) {
    expect(readBody(bytes, type).kind).toBe('frames')
  }
})

test("takes the model's own event out of its base64", () => {
  const inner = '{"type":"ping","n":1.0}'
  const bytes = event('chunk', `{"bytes":"${base64(inner)}","p":"ab"}`)
  const [read] = splitFrames(bytes)!
  expect(JSON.stringify(read)).toBe(`{"event":"chunk","chunk":${inner},"data":{"p":"ab"}}`)
  expect(frameText(read!)).toBe(inner)
  expect(Buffer.from(writeFrame(read!))).toEqual(bytes)
})

test.each(['{"a": 1}', 'hello', '7', '"quoted"', '  '])('opens the text %j of a chunk', (text) => {
  const sent = event('chunk', JSON.stringify({ bytes: base64(text), p: 'ab' }))
  const [read] = splitFrames(sent)!
  expect(read).toEqual({ event: 'chunk', chunk: text, data: { p: 'ab' } })
  expect(frameText(read!)).toBe(text)
  expect(roundTrip(sent)).toEqual(sent)
})

test.each([
  ['no text', Buffer.from([0xff, 0xfe]).toString('base64')],
  ['not base64', '%%%%'],
  ['unpadded', base64('{"a":1}').replace(/=+$/, '')],
])('leaves a chunk in its base64 that is %s', (_, bytes) => {
  const data = { bytes, p: 'ab' }
  const sent = event('chunk', JSON.stringify(data))
  expect(splitFrames(sent)).toEqual([{ event: 'chunk', data }])
  expect(roundTrip(sent)).toEqual(sent)
})

test('keeps the headers of an exception', () => {
  const headers = {
    ':exception-type': 'throttlingException',
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  const bytes = frame(headers, '{"message":"Too fast."}')
  expect(splitFrames(bytes)).toEqual([{ headers, data: { message: 'Too fast.' } }])
  expect(roundTrip(bytes)).toEqual(bytes)
})

test.each([
  ['text', 'plain words', 'plain words'],
  ['nothing', '', ''],
  ['spaced JSON', '{"a": 1}', '{"a": 1}'],
  ['a JSON text', '"a"', '"a"'],
])('keeps a payload as text that is %s', (_, payload, data) => {
  expect(splitFrames(event('x', payload))).toEqual([{ event: 'x', data }])
})

test.each<[string, Uint8Array]>([
  ['a payload that is no text', event('x', Uint8Array.of(0xff, 0xfe))],
  ['a header that is no text', numbered()],
  ['a wrong checksum', Buffer.concat([STOP.subarray(0, -1), Uint8Array.of(STOP.at(-1)! ^ 1)])],
  ['no end', STOP.subarray(0, 40)],
  ['no whole prelude', STOP.subarray(0, 7)],
])('keeps a frame with %s as bytes, and reads those before it', (_, odd) => {
  const bytes = Buffer.concat([START, odd])
  expect(splitFrames(bytes)).toEqual([
    { event: 'messageStart', data: { p: 'abc', role: 'assistant' } },
    { bytes: Buffer.from(odd).toString('base64') },
  ])
  expect(roundTrip(bytes)).toEqual(bytes)
})

test('reads on behind a frame whose payload is no text', () => {
  const bytes = Buffer.concat([event('x', Uint8Array.of(0xff)), STOP])
  expect(splitFrames(bytes)).toEqual([
    { bytes: expect.any(String) },
    { event: 'messageStop', data: { stopReason: 'end_turn' } },
  ])
})

test('is nothing to other bodies', () => {
  for (const text of ['', 'data: {}\n\n', '{"a":1}', ' '.repeat(64)]) {
    expect(splitFrames(encode(text))).toBeUndefined()
  }
  expect(readBody(new Uint8Array(64), TYPE).kind).not.toBe('frames')
  expect(readBody(STOP.subarray(0, 30), TYPE).kind).toBe('bytes')
})

test('stores a frame under names that a person can read', () => {
  const exchange = exampleExchange(1, {}, readBody(DELTA, TYPE))
  const { stored } = encodeCassette({ ...exampleCassette(), exchanges: [exchange] })
  expect(stored.exchanges[0]!.response.sent).toMatchObject({
    frames: [{ event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { text: 'Hé' } } }],
  })
})

test.each<JsonValue[]>([
  [{ a: 1 }],
  ['text'],
  [['text']],
  [{ event: 7, data: {} }],
  [{ event: 'x' }],
  [{ event: 'x', data: {}, more: 1 }],
  [{ event: 'x', chunk: {}, data: 'text' }],
  [{ headers: { a: 1 }, data: {} }],
  [{ bytes: 'AAAA', data: {} }],
  [{ bytes: 7 }],
])('refuses a stored frame that is none: %j', (frame) => {
  const restore = () => restoreBody({ frames: [frame] }, (value) => value, String)
  expect(restore).toThrow(coded('invalid-cassette'))
})

const payloads = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array(),
  fc.json().map((json) => `{"bytes":"${base64(json)}","p":"abc"}`),
  fc.constant('{"__proto__":{"bytes":"e30="},"bytes":"e30="}'),
)
const headers = fc.dictionary(fc.string({ maxLength: 20 }), fc.string(), { maxKeys: 4 })
const frames = fc.oneof(
  fc.tuple(fc.string(), payloads).map(([type, payload]) => event(type, payload)),
  fc.tuple(headers, payloads).map(([named, payload]) => frame(named, payload)),
)

test('any frames come back byte for byte, one piece each', () => {
  fc.assert(
    fc.property(fc.array(frames, { minLength: 1, maxLength: 5 }), (sent) => {
      const bytes = Buffer.concat(sent)
      expect(roundTrip(bytes).equals(bytes)).toBe(true)
      const body = readBody(bytes, TYPE)
      if (body.kind === 'frames') expect(writeBody(body)).toHaveLength(sent.length)
    }),
  )
})

test('frames that were cut, damaged or mixed up come back byte for byte', () => {
  const damage = fc.record({ at: fc.nat(), flip: fc.integer({ min: 0, max: 255 }), cut: fc.nat() })
  fc.assert(
    fc.property(fc.array(frames, { minLength: 1, maxLength: 4 }), damage, (sent, change) => {
      const bytes = Buffer.concat(sent)
      bytes[change.at % bytes.length]! ^= change.flip
      const cut = bytes.subarray(change.cut % bytes.length)
      const ended = bytes.subarray(0, change.cut % bytes.length)
      for (const part of [bytes, cut, ended, Buffer.concat([cut, bytes])]) {
        expect(roundTrip(part).equals(part)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('whole frames are read in front of any cut', () => {
  const sent = [START, DELTA, STOP]
  const bytes = Buffer.concat(sent)
  for (let length = START.length; length <= bytes.length; length++) {
    const read = splitFrames(bytes.subarray(0, length))!
    const whole = read.filter((each: Frame) => 'event' in each)
    expect(whole).toHaveLength(
      length < START.length + DELTA.length ? 1 : length < bytes.length ? 2 : 3,
    )
  }
})

function numbered(): Uint8Array {
  return codec.encode({ headers: { n: { type: 'integer', value: 7 } }, body: encode('{}') })
}
