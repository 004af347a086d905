import { expect, test } from 'vitest'
import type { Body } from '../../src/wire/body.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'
import { throughFile } from './through-file.ts'

const MP3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(3_000, 0xfb)])

function bodiesThroughFile(
  answer: Body,
  asked?: Body,
): { text: string; blobs: string[]; read: Body[] } {
  const exchange = exampleExchange(1, {}, answer)
  if (asked) exchange.wire!.request.body = asked
  const cassette = { ...exampleCassette({}), exchanges: [exchange] }
  const { loaded, text, blobs } = throughFile(cassette)
  const { request, response } = loaded.exchanges[0]!.wire!
  return { text, blobs: [...blobs.keys()], read: [request.body, response!.body] }
}

test('speech becomes a file that a person can hear', () => {
  const { text, blobs, read } = bodiesThroughFile({ kind: 'bytes', bytes: MP3 })
  expect(blobs).toEqual([expect.stringMatching(/\.mp3$/)])
  expect(text).toContain(`"file": "${blobs[0]}"`)
  expect(read[1]).toEqual({ kind: 'bytes', bytes: MP3 })
})

test('bytes that no one can open stay in the cassette', () => {
  const bytes = Buffer.alloc(2_000, 0xff)
  const { blobs, read } = bodiesThroughFile({ kind: 'bytes', bytes })
  expect(blobs).toEqual([])
  expect(read[1]).toEqual({ kind: 'bytes', bytes })
})

test('a form comes back part by part, its recordings as files', () => {
  const base64 = MP3.toString('base64')
  const asked: Body = {
    kind: 'form',
    parts: [
      { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', base64 },
      { name: 'model', text: 'whisper-1' },
      { name: 'options', text: '{"$":"exchange-1.text"}', headers: { 'content-id': 'a' } },
    ],
  }
  const { text, blobs, read } = bodiesThroughFile({ kind: 'text', text: 'Hello.' }, asked)
  expect(blobs).toHaveLength(1)
  expect(text).not.toContain(base64)
  expect(text).toContain('{ "name": "model", "text": "whisper-1" }')
  expect(read[0]).toEqual(asked)
})

test('frames come back, whatever their keys are called', () => {
  const answer: Body = {
    kind: 'frames',
    frames: [
      { event: 'x', data: { $: [], $each: {} } },
      { event: 'chunk', chunk: { $: 'exchange-1.text' }, data: { p: 'a' } },
      { headers: { ':message-type': 'exception' }, data: { message: 'Down.' } },
      { bytes: 'AAAA' },
    ],
  }
  const { text, read } = bodiesThroughFile(answer)
  expect(read[1]).toEqual(answer)
  expect(text.split('\n').filter((line) => line.includes('"event":'))).toHaveLength(2)
})
