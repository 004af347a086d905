import type { Cassette } from '../../src/cassette/format/cassette.ts'
import { decodeCassette } from '../../src/cassette/format/decode-cassette.ts'
import { encodeCassette } from '../../src/cassette/format/encode-cassette.ts'
import { parseCassette } from '../../src/cassette/format/parse.ts'
import { printCassette } from '../../src/cassette/format/print.ts'

/** A cassette as it is read from the file and the pictures that it is written to. */
export function throughFile(cassette: Cassette): {
  loaded: Cassette
  text: string
  blobs: Map<string, Buffer>
} {
  const { stored, blobs } = encodeCassette(cassette, 'schema.json')
  const text = printCassette(stored)
  return { loaded: decodeCassette(parseCassette(text), (name) => blobs.get(name)!), text, blobs }
}
