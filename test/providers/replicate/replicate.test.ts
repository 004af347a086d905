import { expect, test } from 'vitest'
import { dialectOf } from '../../../src/providers/dialects.ts'
import type { Dialect } from '../../../src/providers/dialect.ts'
import { replicateDialects } from '../../../src/providers/replicate/dialects.ts'
import type { Completion } from '../../../src/prompt/completion.ts'
import type { WireRequest } from '../../../src/wire/message.ts'
import { answer, stream } from '../wire.ts'

const [replicate] = replicateDialects as [Dialect]

const get = (url: string): WireRequest => ({ method: 'GET', url, body: { kind: 'empty' } })

const STREAM = get('https://stream.replicate.com/v1/files/abc')

const SAID = [
  'event: output\nid: 1:0\ndata: It is\n\n',
  'event: output\nid: 2:0\ndata:  dry.\ndata: \n\n',
  'event: output\nid: 3:0\ndata: {"a":1}\n\n',
]

test.each([
  'https://api.replicate.com/v1/predictions/abc',
  'https://stream.replicate.com/v1/files/abc',
  'https://stream.replicate.com/v1/streams/abc',
])('knows what is asked after a prediction: %s', (url) => {
  expect(dialectOf(get(url)).name).toBe('replicate')
  expect(replicate.readPrompt(get(url))).toMatchObject({ provider: 'replicate', messages: [] })
})

test.each([
  'https://api.replicate.com/v1/predictions',
  'https://api.replicate.com/v1/models/meta/llama',
  'https://example.com/v1/predictions/abc',
])('does not know %s', (url) => {
  expect(dialectOf(get(url)).name).toBe('generic')
})

test('reads a stream, whose data is the text itself', () => {
  const read = replicate.readCompletion(stream(...SAID, 'event: done\ndata: {}\n\n'))
  expect(read).toEqual({
    text: 'It is dry.\n{"a":1}',
    toolCalls: [],
    finishReasons: ['succeeded'],
  })
})

test('calls a stream incomplete that was cut, and reads its error', () => {
  for (let length = 0; length <= SAID.length; length++) {
    expect(replicate.readCompletion(stream(...SAID.slice(0, length)))).toMatchObject({
      incomplete: true,
      finishReasons: [],
    })
  }
  const failed = stream(...SAID, 'event: error\ndata: {"detail":"Out of memory."}\n\n')
  expect(replicate.readCompletion(failed)).toMatchObject({
    error: 'Out of memory.',
    incomplete: true,
  })
})

test.each<Completion>([
  { text: 'It is\n\ndry.', toolCalls: [], finishReasons: ['succeeded'] },
  { text: 'It is', toolCalls: [], finishReasons: ['canceled'] },
  { text: 'It is', toolCalls: [], finishReasons: ['failed'] },
  { text: 'It is', toolCalls: [], finishReasons: [], incomplete: true },
])('reads back the stream that it writes: %j', (completion) => {
  const written = replicate.writeCompletion!(completion, STREAM)
  expect(written.body.kind).toBe('events')
  expect(replicate.readCompletion(written)).toEqual(completion)
})

test.each([
  [null, 'starting', ''],
  ['A dry lawn.', 'processing', 'A dry lawn.'],
  [
    ['https://a.example/1.png', 'https://a.example/2.png'],
    'succeeded',
    'https://a.example/1.png\nhttps://a.example/2.png',
  ],
  [{ scores: [1] }, 'succeeded', '{"scores":[1]}'],
])('reads an output of any form: %j', (output, status, text) => {
  expect(replicate.readCompletion(answer({ output, status, error: null }))).toEqual({
    text,
    toolCalls: [],
    finishReasons: [status],
  })
})

test('reads a prediction that failed', () => {
  const failed = answer({ output: null, status: 'failed', error: 'Out of memory.' })
  expect(replicate.readCompletion(failed)).toMatchObject({
    error: 'Out of memory.',
    finishReasons: ['failed'],
  })
})
