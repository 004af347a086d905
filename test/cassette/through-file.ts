import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import type { Body } from '../../src/wire/body.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'

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

/** The body of a response as its file gives it back. */
export function bodyThroughFile(body: Body): Body {
  const cassette = { ...exampleCassette(), exchanges: [exampleExchange(1, {}, body)] }
  return throughFile(cassette).loaded.exchanges[0]!.wire!.response!.body
}
