import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { isEdited, printSealed } from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { parseStored } from '../../../src/cassette/reader.ts'
import { type Body, writeBody } from '../../../src/wire/body.ts'
import { bareJson } from '../../bare-json.ts'
import { corpusCassettes } from '../../corpus-cassettes.ts'
import { eachCorpus } from '../../corpus.ts'

/** Everything that a cassette says, its bodies as bytes. */
function contentOf({ exchanges, ...head }: Cassette, written: (body: Body) => string): object {
  return {
    ...head,
    exchanges: exchanges.map(({ wire, prompt, ...others }) => ({
      ...others,
      // The hash is counted, and not stored.
      prompt: { ...prompt, hash: undefined },
      request: wire && { ...wire.request, body: bytesOf(wire.request.body) },
      sent: wire?.response && { ...wire.response, body: written(wire.response.body) },
    })),
  }
}

function bytesOf(body: Body): string {
  return Buffer.concat(writeBody(body)).toString('latin1')
}

/** White space of a response's JSON that no layout says is lost. */
function bareBytesOf(body: Body): string {
  return bareJson(bytesOf(body))
}

function check(cassette: Cassette, written: (body: Body) => string = bytesOf): void {
  const { stored, blobs } = encodeCassette(cassette)
  const text = printSealed(stored)
  const parsed = parseCassette(text)
  expect(parseStored(text)).toEqual(parsed)
  expect([parsed.seal !== undefined, isEdited(parsed)]).toEqual([
    cassette.exchanges.some(({ wire }) => wire?.response),
    false,
  ])
  const read = decodeCassette(parsed, (name) => blobs.get(name)!)
  expect(contentOf(read, written)).toEqual(contentOf(cassette, written))
}

interface Recording {
  path: string
  text: string
  cassette: Cassette
}

function recordings(): Recording[] {
  const found = globSync('{__recordings__,examples/*/__recordings__}/**/*.json', {
    exclude: ['**/node_modules/**'],
  })
  return found.map((path) => {
    const [, folder] = /^(.*?__recordings__)\//.exec(path.replaceAll('\\', '/'))!
    const text = readFileSync(path, 'utf8')
    const load = (name: string): Buffer => readFileSync(join(folder!, 'blobs', name))
    return { path, text, cassette: decodeCassette(parseStored(text), load) }
  })
}

test('the recordings of this repository come back from their files, and are written as they are', () => {
  const all = recordings()
  expect(all.length).toBeGreaterThan(50)
  for (const { path, text, cassette } of all) {
    check(cassette)
    const { $schema } = parseStored(text)
    if (!isEdited(parseStored(text)))
      expect(printSealed(encodeCassette(cassette, $schema).stored), path).toBe(text)
  }
})

test.each(['{"a": 1,"b":2}', '{\n\t"a": 1\n}', '{"a":"\\u0061"}'])(
  'a request that no layout spells comes back as it was sent: %j',
  (asSent) => {
    const [recording] = recordings().filter(({ cassette }) =>
      cassette.exchanges.every(({ wire }) => wire?.request.body.kind === 'json'),
    )
    const exchanges = recording!.cassette.exchanges.map((one) => {
      const { request } = one.wire!
      return {
        ...one,
        wire: { ...one.wire!, request: { ...request, body: { ...request.body, asSent } } },
      }
    })
    check({ ...recording!.cassette, exchanges } as Cassette)
  },
)

eachCorpus((corpus) =>
  test('real exchanges come back from their files', { timeout: 120_000 }, () => {
    for (const cassette of corpusCassettes(corpus)) check(cassette, bareBytesOf)
  }),
)
