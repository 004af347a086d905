import { CassetteStore } from '../src/cassette/store.ts'
import type { ParamValues } from '../src/config/check-params.ts'
import { Params } from '../src/conversation/params.ts'
import { describeTurns } from '../src/recording/describe.ts'
import { readIncoming } from '../src/engine/incoming.ts'
import { preloadParts } from '../src/real/load-later.ts'
import { readText } from '../src/wire/body.ts'
import { readBody } from '../src/wire/read-body.ts'
import type { Exchange } from './exchanges.ts'

// The sources cannot load their parts when these are first used.
await preloadParts()

/** Writes the cassette that a recording of these exchanges would have written. */
export async function saveExchanges(
  folder: string,
  name: string,
  url: string,
  exchanges: readonly Exchange[],
  params?: ParamValues,
): Promise<void> {
  const declared = new Params(params)
  const turns = exchanges.map(({ prompt, answer, type }) => ({
    incoming: readIncoming(
      declared.hide({ method: 'POST', url, body: readText(JSON.stringify(prompt)) }),
    ),
    response: {
      status: 200,
      headers: { 'content-type': type },
      body: readBody(Buffer.from(answer), type),
    },
    durationMs: 1_000,
  }))
  await new CassetteStore(folder, '.', 2 ** 30).save(name, {
    conversationId: name,
    timestamp: '2026-01-02T03:04:05.000Z',
    ...(params ? { params } : {}),
    exchanges: describeTurns(turns),
  })
}
