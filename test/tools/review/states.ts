import type { Cassette } from '../../../src/cassette/cassette.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import type { CassetteState } from '../../../src/tools/compare/compare-cassettes.ts'

/** A cassette as it lies in a file. */
export function stateOf(cassette: Cassette): CassetteState {
  return { text: printCassette(encodeCassette(cassette, 'schema.json').stored), cassette }
}
