import type { Cassette } from '../../src/cassette/format/cassette.ts'
import { encodeCassette } from '../../src/cassette/format/encode-cassette.ts'
import { printCassette } from '../../src/cassette/format/print.ts'
import type { CassetteState } from '../../src/review/compare-cassettes.ts'

/** A cassette as it lies in a file. */
export function stateOf(cassette: Cassette): CassetteState {
  return { text: printCassette(encodeCassette(cassette, 'schema.json').stored), cassette }
}
