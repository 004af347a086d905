import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'

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
