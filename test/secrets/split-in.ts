import type { Exchange } from '../../src/cassette/cassette.ts'
import type { SecretHit } from '../../src/secrets/find-likely.ts'
import { findSplit } from '../../src/secrets/find-secrets.ts'
import { textsOfBody } from '../../src/secrets/texts-of-cassette.ts'

/** The credentials of which each text of these exchanges has only a part. */
export function splitIn(exchanges: readonly Exchange[]): SecretHit[] {
  const bodies = exchanges.flatMap(({ wire }) => [wire?.request.body, wire?.response?.body])
  return bodies.flatMap((body) => textsOfBody(body).split).flatMap(findSplit)
}
