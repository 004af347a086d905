import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printSealed } from '../../src/cassette/format.ts'
import { rawHashOf } from '../../src/cassette/format.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import { readReadable } from '../../src/replay/read-played.ts'
import { SealedFile } from '../../src/replay/sealed-file.ts'
import { writeBody } from '../../src/wire/body.ts'
import type { Cassette, RecordedExchange } from '../../src/cassette/cassette.ts'
import { question, recorded } from '../engine/example-session.ts'
import { corpusCassettes } from '../corpus-cassettes.ts'
import { eachCorpus } from '../corpus.ts'

/**
 * Compares what the text of a file answers with what its decoded exchanges do. Returns how many exchanges it tells, and
 * how many it leaves to them.
 */
function compare(bytes: Buffer, load: (name: string) => Buffer): [told: number, left: number] {
  const sealed = SealedFile.read(bytes)
  if (!sealed) return [0, 0]
  const { exchanges } = decodeCassette(parseStored(bytes.toString()), load)
  expect(sealed.isWhole).toBe(true)
  const answered = exchanges.flatMap(({ prompt, response, wire }, index) => {
    if (!wire?.response || wire.response.status >= 300) return []
    expect(sealed.hashes[index]!.slice(23, 45)).toBe(rawHashOf(wire.request))
    const readable = readReadable(sealed, index)
    expect(readable.prompt.metadata?.model).toEqual(prompt.metadata.model)
    expect(readable.response.usage).toEqual(response.usage)
    const answer = sealed.answer(index)
    if (!answer) return [false]
    const { status, headers, body } = wire.response
    expect([answer.status, answer.headers]).toEqual([status, headers])
    expect(answer.chunks).toEqual(
      writeBody(body).map((chunk) => Buffer.from(chunk).toString('latin1')),
    )
    return [true]
  })
  const told = answered.filter(Boolean).length
  return [told, answered.length - told]
}

/** @param most the share of the exchanges that may be left to the decoder */
function check(files: Array<ReturnType<typeof compare>>, most: number): void {
  const [told, left] = files.reduce(([one, two], [three, four]) => [one + three, two + four])
  expect(told).toBeGreaterThan(30)
  expect(left / (told + left)).toBeLessThan(most)
}

test('the text of each recording of this repository answers as the decoded file does', () => {
  const files = globSync('{__recordings__,examples/*/__recordings__}/**/*.json', {
    exclude: ['**/node_modules/**'],
  })
  check(
    files.map((path) => {
      const [, folder] = /^(.*?__recordings__)[/\\]/.exec(path)!
      return compare(readFileSync(path), (name) => readFileSync(join(folder!, 'blobs', name)))
    }),
    // Frames of Amazon, bytes and files.
    0.1,
  )
})

eachCorpus((corpus) => {
  test('the text of each cassette of real exchanges answers as the decoded file does', () => {
    check(
      corpusCassettes(corpus).map((cassette) => {
        const { stored, blobs } = encodeCassette(cassette)
        return compare(Buffer.from(printSealed(stored)), (name) => Buffer.from(blobs.get(name)!))
      }),
      0.15,
    )
  })
})

test('an answer of megabytes is laid out as it was', () => {
  const value = {
    id: 'a',
    empty: [{}, []],
    said: 'a "word"\n'.repeat(1_000_000),
    more: [1, { b: null }],
  }
  for (const layout of [{ indent: 2 }, { indent: 1, end: '\n' }]) {
    const [exchange] = recorded([question('a'), 'one']).exchanges
    const { wire } = exchange as RecordedExchange
    const response = { ...wire.response, body: { kind: 'json' as const, value, layout } }
    const cassette = { ...recorded(), exchanges: [{ ...exchange, wire: { ...wire, response } }] }
    const { stored } = encodeCassette(cassette as Cassette)
    const [chunk] = SealedFile.read(Buffer.from(printSealed(stored)))!.answer(0)!.chunks
    const wanted = JSON.stringify(value, null, layout.indent) + (layout.end ?? '')
    expect(chunk === wanted).toBe(true)
  }
})

test('each sample of a file is answered by itself, where all of it stands together', () => {
  const { exchanges, ...rest } = recorded(
    [question('a'), 'one'],
    [question('b'), 'two'],
    [question('a'), 'three'],
  )
  const read = (samples: number[], sample: number): string[] | undefined => {
    const all = exchanges.map((one, at) =>
      samples[at]! > 1 ? { ...one, sample: samples[at] } : one,
    )
    const { stored } = encodeCassette({ ...rest, exchanges: all } as Cassette)
    const sealed = SealedFile.read(Buffer.from(printSealed(stored)), sample)
    if (sealed) expect(sealed.isWhole).toBe(true)
    return sealed?.hashes.map((_, at) => readReadable(sealed, at).response.text)
  }
  expect([1, 2, 3].map((sample) => read([1, 1, 2], sample))).toEqual([
    ['one', 'two'],
    ['three'],
    undefined,
  ])
  expect([1, 2].map((sample) => read([1, 1, 1], sample))).toEqual([
    ['one', 'two', 'three'],
    undefined,
  ])
  expect([1, 2].map((sample) => read([1, 2, 1], sample))).toEqual([undefined, ['two']])
})
