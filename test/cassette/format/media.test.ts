import { expect, test } from 'vitest'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { textsOfCassette } from '../../../src/secrets/texts-of-cassette.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import { MEDIA, mediaOf } from '../../media.ts'
import { exampleCassette, exampleExchange } from '../example-cassette.ts'

/** The kinds of which there is no file that a person could open. */
const UNOPENED = ['pcm', 'gz']

const SIZES = [100, 768, 4_096]

test.each(Object.keys(MEDIA))('an answer of %s is stored, scanned and read again', (kind) => {
  for (const size of kind === 'mp4' || kind === 'pcm' ? [...SIZES, 4 * 2 ** 20] : SIZES) {
    const bytes = mediaOf(kind, size)
    const cassette = exampleCassette({})
    cassette.exchanges = [exampleExchange(1, {}, readBody(bytes, 'application/octet-stream'))]
    const { stored, blobs } = encodeCassette(cassette, 'schema.json')
    expect(() => textsOfCassette(stored, cassette.exchanges)).not.toThrow()
    const read = decodeCassette(parseCassette(printCassette(stored)), (name) => blobs.get(name)!)
    const { body } = read.exchanges[0]!.wire!.response!
    expect(body.kind === 'bytes' && bytes.equals(body.bytes)).toBe(true)
    const names = [...blobs.keys()].map((name) => name.slice(65))
    const [extension] = kind.split(' ')
    if (size >= 4_096) expect(names).toEqual(UNOPENED.includes(kind) ? [] : [extension])
  }
})
