import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { rareCases } from '../../src/features/all-rare-cases.ts'
import { Session } from '../../src/engine/session.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { preloadParts } from '../../src/real/load-later.ts'
import { readText } from '../../src/wire/body.ts'

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

/** A question to a chat model; `more` replaces or adds fields of the body. */
export function question(text: string, more: JsonObject = {}): Incoming {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: text }], ...more }
  return readIncoming({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: readText(JSON.stringify(body)),
  })
}

/** A cassette of questions with their answers. */
export function recorded(...turns: Array<[asked: Incoming, answer: string]>): Cassette {
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(
      turns.map(([incoming, answer]) => ({
        incoming,
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: readText(
            JSON.stringify({ choices: [{ message: { content: answer }, finish_reason: 'stop' }] }),
          ),
        },
      })),
    ),
  }
}

/** A session of a test with a cassette. */
export function openExample(
  cassette: Cassette | undefined,
  options: CassetteOptions = {},
): Session {
  const test = {
    id: 'a.test.ts > asks',
    cassette: '__recordings__/a.test.ts/asks-0123456789.json',
    blobs: '__recordings__/blobs',
    asked: 'node_modules/.cache/vitest-cassette/asked',
    recordCommand: "npx vitest-cassette record a.test.ts -t '^asks$'",
  }
  const config = resolveConfig(options, { ci: false, recordInCi: false })
  return new Session({ test, config, load: () => cassette, rare: () => rareCases })
}
