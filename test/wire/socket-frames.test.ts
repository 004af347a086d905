import fc from 'fast-check'
import { expect, test } from 'vitest'
import { framesAnswer, framesOf, type SocketFrame } from '../../src/wire/socket-frames.ts'

const frame: fc.Arbitrary<SocketFrame> = fc.oneof(
  fc.record({
    text: fc.oneof(
      fc.string(),
      fc.json(),
      fc.object().map((value) => JSON.stringify(value)),
    ),
  }),
  fc.record({
    bytes: fc
      .oneof(
        fc.uint8Array(),
        fc.object().map((value) => Buffer.from(JSON.stringify(value))),
      )
      .map((bytes) => Buffer.from(bytes)),
  }),
  fc.record({
    close: fc.record({ code: fc.integer({ min: 1000, max: 4999 }), reason: fc.string() }),
  }),
)

test('every frame comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(frame), (frames) => {
      expect(framesOf(framesAnswer(frames))).toEqual(frames)
    }),
  )
})

test('JSON is kept readable, also where it was sent as bytes or looks like a mark', () => {
  const answer = framesAnswer([
    { text: '{"type":"response.done"}' },
    { bytes: Buffer.from('{"setupComplete":{}}') },
    { text: '{"@text":"no mark"}' },
    { text: 'two\nlines' },
    { close: { code: 1000, reason: 'done' } },
  ])
  expect(answer.body).toMatchObject({
    kind: 'lines',
    lines: [
      { type: 'response.done' },
      { '@json': { setupComplete: {} } },
      { '@text': '{"@text":"no mark"}' },
      { '@text': 'two\nlines' },
      { '@close': { code: 1000, reason: 'done' } },
    ],
  })
})
