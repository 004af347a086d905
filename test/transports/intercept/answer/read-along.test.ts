import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  arrivedWhole,
  readAlong,
  readFirst,
} from '../../../../src/transports/intercept/answer/read-along.ts'

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** An answer that is written by hand, and what says that it is kept. */
function open() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const { promise: kept, resolve: keep } = Promise.withResolvers<void>()
  const { body, arrived } = readAlong({ reader: readable.getReader(), chunks: [] }, kept)
  return { writer: writable.getWriter(), reader: body.getReader(), arrived, keep }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return texts
    texts.push(Buffer.from(value).toString())
  }
}

test('whatever arrives, and however late, the application reads it chunk by chunk, and it is kept whole', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.boolean()), { maxLength: 8 }),
      async (chunks) => {
        const { writer, reader, arrived, keep } = open()
        const read = readAll(reader)
        for (const [text, waits] of chunks) {
          if (waits) await new Promise(setImmediate)
          void writer.write(Buffer.from(text))
        }
        void writer.close()
        const texts = chunks.map(([text]) => Buffer.from(text).toString())
        const { bytes, cut } = await arrived
        expect([Buffer.from(bytes).toString(), cut]).toEqual([texts.join(''), false])
        keep()
        expect(await read).toEqual(texts)
      },
    ),
    { numRuns: 50 },
  ))

test('what comes whole and at once needs no stream, and all else does', async () => {
  const streamOf = (chunks: string[], end: 'end' | 'break' | 'wait'): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
        if (end === 'end') controller.close()
      },
      pull(controller) {
        if (end === 'break') controller.error(new Error('reset'))
      },
    })
  const whole = async (chunks: string[], end: 'end' | 'break' | 'wait'): Promise<unknown> => {
    const bytes = arrivedWhole(await readFirst(streamOf(chunks, end)))
    return bytes && Buffer.from(bytes).toString()
  }
  expect(await whole(['one'], 'end')).toBe('one')
  expect(await whole([], 'end')).toBe('')
  expect(await whole(['one', 'two'], 'end')).toBe(undefined)
  expect(await whole(['one'], 'break')).toBe(undefined)
  expect(await whole(['one'], 'wait')).toBe(undefined)
})

test('what has arrived first is read before what comes', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(Buffer.from('one'))
  const first = await readFirst(readable)
  expect(first.chunks.map(String)).toEqual(['one'])
  const { body, arrived } = readAlong(first, Promise.resolve())
  for (const text of ['two', 'three']) void writer.write(Buffer.from(text))
  void writer.close()
  expect(await readAll(body.getReader())).toEqual(['one', 'two', 'three'])
  expect(Buffer.from((await arrived).bytes).toString()).toBe('onetwothree')
})

test('a body is read as it arrives', async () => {
  const { writer, reader } = open()
  void writer.write(Buffer.from('one'))
  expect((await reader.read()).value).toEqual(Buffer.from('one'))
})

test('nobody sees its end before it is kept, nor its last chunk where the end has come with it', async () => {
  const { writer, reader, keep } = open()
  for (const text of ['one', 'two']) void writer.write(Buffer.from(text))
  void writer.close()
  await reader.read()
  const seen: string[] = []
  const last = reader.read().then(() => seen.push('last chunk'))
  await later()
  seen.push('kept')
  keep()
  await last
  expect(seen).toEqual(['kept', 'last chunk'])
  expect(await reader.read()).toMatchObject({ done: true })
})

test('an application that stops reading does not stop the recording', async () => {
  const { writer, reader, arrived } = open()
  void writer.write(Buffer.from('one'))
  await reader.read()
  await reader.cancel()
  void writer.write(Buffer.from('two'))
  void writer.close()
  expect(Buffer.from((await arrived).bytes).toString()).toBe('onetwo')
})

test('of a connection that breaks all that arrived is read and kept, and then the error', async () => {
  const { writer, reader, arrived, keep } = open()
  for (const text of ['one', 'two']) await writer.ready.then(() => writer.write(Buffer.from(text)))
  await writer.abort(new Error('reset'))
  const { bytes, cut } = await arrived
  keep()
  const texts = Buffer.from(bytes).toString()
  expect(cut).toBe(true)
  let read = ''
  const reading = (async () => {
    for (;;) read += Buffer.from((await reader.read()).value!).toString()
  })()
  await expect(reading).rejects.toThrow('reset')
  expect(read).toBe(texts)
})

test('what cannot be kept is an error for who reads', async () => {
  const kept = later().then(() => Promise.reject(new Error('full')))
  kept.catch(() => {})
  const { body } = readAlong({ reader: new Blob(['one']).stream().getReader(), chunks: [] }, kept)
  await expect(readAll(body.getReader())).rejects.toThrow('full')
})

test('of a client that gives up waiting it is kept where, and of a provider that never ends what it sent', async () => {
  const { writer, reader, arrived } = open()
  void writer.write(Buffer.from('one'))
  await reader.read()
  const waiting = reader.read()
  await later()
  await reader.cancel()
  await waiting
  void writer.write(Buffer.from('two'))
  const { bytes, ...rest } = await arrived
  expect(Buffer.from(bytes).toString()).toBe('onetwo')
  expect(rest).toEqual({ cut: false, leftAt: 3 })
})

test('who leaves because of what it has just read has given nothing up', async () => {
  const { writer, reader, arrived } = open()
  void writer.write(Buffer.from('one'))
  await reader.read()
  await reader.cancel()
  void writer.write(Buffer.from('two'))
  void writer.close()
  expect(await arrived).not.toHaveProperty('leftAt')
})
