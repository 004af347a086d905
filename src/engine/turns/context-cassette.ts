import type { Cassette, Exchange } from '../../cassette/format/cassette.ts'
import type { ContextEntry } from '../../conversation/context/context-entry.ts'
import {
  contextRequests,
  type ContextRequestOptions,
} from '../../conversation/context/context-requests.ts'
import { describeTurns } from './describe.ts'
import { readIncoming } from '../incoming.ts'

/**
 * Makes a cassette of a conversation in the LLM context format: each assistant entry becomes the
 * answer to all that stands before it. The times of the entries are kept in the metadata.
 *
 * @throws CassetteError `invalid-context` when nobody answers the last entries.
 */
export function cassetteOfContext(
  entries: readonly ContextEntry[],
  conversationId: string,
  options: ContextRequestOptions = {},
): Cassette {
  const requests = contextRequests(entries, options)
  const exchanges = describeTurns(
    requests.map(({ request, response }) => ({ incoming: readIncoming(request), response })),
  )
  for (const [index, { timestamps }] of requests.entries())
    exchanges[index]!.prompt.metadata.timestamps = timestamps
  keepLastResult(entries, exchanges)
  const last = entries.at(-1)?.timestamp
  return {
    conversationId,
    timestamp: last === undefined ? new Date(0).toISOString() : new Date(last).toISOString(),
    exchanges,
  }
}

/** No later request sends it back, so only the half for people can hold it. */
function keepLastResult(entries: readonly ContextEntry[], exchanges: Exchange[]): void {
  const content = entries.at(-1)?.content
  const [call] = exchanges.at(-1)?.response.tool_calls ?? []
  if (call && typeof content === 'object' && 'result' in content) call.result = content.result
}
