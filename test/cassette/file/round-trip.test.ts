import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type Cassette, isRecorded } from '../../../src/cassette/cassette.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { decodeFile } from '../../../src/cassette/file/decode.ts'
import { encodeFile } from '../../../src/cassette/file/encode.ts'
import { isSealed } from '../../../src/cassette/file/hashes.ts'
import { parseFile } from '../../../src/cassette/file/parse.ts'
import { printFile } from '../../../src/cassette/file/print.ts'
import { CassetteReader, parseStored } from '../../../src/cassette/reader.ts'
import { renewedIn } from '../../../src/recording/renewed-in.ts'
import { type Body, writeBody } from '../../../src/wire/body.ts'
import { corpusCassettes } from '../../corpus-cassettes.ts'
import { eachCorpus } from '../../corpus.ts'

/** Everything that a cassette says, its bodies as bytes. */
function contentOf({ exchanges, ...head }: Cassette): object {
  return {
    ...head,
    exchanges: exchanges.map(({ wire, prompt, ...others }) => ({
      ...others,
      // The hash is counted, and not stored.
      prompt: { ...prompt, hash: undefined },
      request: wire && { ...wire.request, body: bytesOf(wire.request.body) },
      sent: wire?.response && { ...wire.response, body: bareBytesOf(wire.response.body) },
    })),
  }
}

function bytesOf(body: Body): string {
  return Buffer.concat(writeBody(body)).toString('latin1')
}

/** White space of JSON that no layout says is lost. */
function bareBytesOf(body: Body): string {
  return bytesOf(body).replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function check(cassette: Cassette): void {
  const { stored, blobs } = encodeFile(cassette, undefined, renewedIn)
  const text = printFile(stored)
  expect(isSealed(text)).toBe(cassette.exchanges.some(isRecorded) ? true : undefined)
  const read = decodeFile(parseFile(text), (name) => blobs.get(name)!)
  expect(contentOf(read)).toEqual(contentOf(cassette))
}

/** The cassettes of this repository that have recorded exchanges. */
function recordings(): Array<{ folder: string; file: string; cassette: Cassette }> {
  const found = globSync('{__recordings__,examples/*/__recordings__}/**/*.json', {
    exclude: ['**/node_modules/**'],
  })
  return found.map((path) => {
    const [, folder, file] = /^(.*?__recordings__)\/(.*)$/.exec(path.replaceAll('\\', '/'))!
    const stored = parseStored(readFileSync(path, 'utf8'))
    const load = (name: string): Buffer => readFileSync(join(folder!, 'blobs', name))
    return { folder: folder!, file: file!, cassette: decodeCassette(stored, load) }
  })
}

test('the recordings of this repository say the same in version 2', () => {
  const all = recordings()
  expect(all.length).toBeGreaterThan(50)
  for (const { cassette } of all) check(cassette)
})

test('a request that no layout spells comes back as it was sent', () => {
  const { cassette } = recordings().find(({ cassette }) =>
    cassette.exchanges.some(({ wire }) => wire?.request.body.kind === 'json'),
  )!
  const exchanges = cassette.exchanges.map((one) => {
    const { request } = one.wire ?? {}
    if (request?.body.kind !== 'json') return one
    const body = { ...request.body, layout: { pad: 3 } }
    return { ...one, wire: { ...one.wire!, request: { ...request, body } } }
  })
  check({ ...cassette, exchanges } as Cassette)
})

test('a file of version 2 is read where one of version 1.3 is', () => {
  const root = mkdtempSync(join(tmpdir(), 'format-2-'))
  try {
    for (const { cassette } of recordings().slice(0, 10)) {
      const { stored, blobs } = encodeFile(cassette, undefined, renewedIn)
      mkdirSync(join(root, '__recordings__/blobs'), { recursive: true })
      for (const [name, bytes] of blobs)
        writeFileSync(join(root, '__recordings__/blobs', name), bytes)
      writeFileSync(join(root, '__recordings__/a.json'), printFile(stored))
      const reader = new CassetteReader(root, '__recordings__', 2 ** 25, parseStored)
      expect(contentOf(reader.load('a.json')!)).toEqual(contentOf(cassette))
    }
  } finally {
    rmSync(root, { recursive: true })
  }
})

eachCorpus((corpus) =>
  test('real exchanges say the same in version 2', { timeout: 120_000 }, () => {
    for (const cassette of corpusCassettes(corpus)) check(cassette)
  }),
)
