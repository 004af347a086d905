import type { Cassette } from '../src/cassette/cassette.ts'
import { describeTurns } from '../src/recording/describe.ts'
import { readIncoming } from '../src/engine/incoming.ts'
import { preloadParts } from '../src/real/load-later.ts'
import { readBody } from '../src/wire/read-body.ts'
import { addressOf, bytesOf, type CorpusExchange } from './corpus.ts'

const PER_CASSETTE = 6

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

/** The exchanges of the corpus as cassettes of a few exchanges each. */
export function corpusCassettes(corpus: CorpusExchange[]): Cassette[] {
  return chunks(corpus, PER_CASSETTE).map(cassetteOf)
}

function cassetteOf(exchanges: CorpusExchange[]): Cassette {
  const turns = exchanges.map((exchange) => {
    const type = Object.entries(exchange.response_headers ?? {}).find(
      ([name]) => name.toLowerCase() === 'content-type',
    )?.[1]
    return {
      incoming: readIncoming({
        method: exchange.method,
        url: addressOf(exchange),
        body: readBody(bytesOf(exchange.request_body, exchange.request_body_encoding)),
      }),
      response: {
        status: Math.max(200, exchange.status),
        headers: { 'content-type': String(type ?? '') },
        body: readBody(
          bytesOf(exchange.response_body, exchange.response_body_encoding),
          String(type ?? ''),
        ),
      },
    }
  })
  return {
    conversationId: 'corpus',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(turns),
  }
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
