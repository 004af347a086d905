import type { Cassette, WrittenExchange, WrittenResponse } from '../cassette/cassette.ts'
import { idOfPlace } from '../cassette/written.ts'
import { entryContent, readIsoTime } from '../conversation/context.ts'
import type { ContextEntry } from '../conversation/context-file.ts'
import { CassetteError } from '../errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { defined } from '../providers/fields.ts'

/** The metadata that a request must have, besides the messages of the context. */
export interface ContextMetadata {
  model?: string
  provider?: string
}

/**
 * Makes a cassette of a conversation in the LLM context format: each assistant entry becomes the answer to all entries
 * before it, in the format of any request. The entries are kept as they are.
 *
 * @throws CassetteError `invalid-context` when it contains no answer.
 */
export function cassetteOfContext(
  entries: readonly ContextEntry[],
  conversationId: string,
  metadata: ContextMetadata = {},
): Cassette {
  const exchanges: WrittenExchange[] = []
  let fresh: ContextEntry[] = []
  let question = ''
  let isAsked = false
  for (const entry of entries) {
    fresh.push(entry)
    const { text } = entryContent(entry)
    if (entry.role === 'user' || (entry.role === 'system' && !isAsked)) question = text
    // An assistant entry before the first question is history that the application made up.
    if (entry.role !== 'assistant') isAsked = true
    else if (isAsked) {
      const kept = { ...metadata, context: fresh as unknown as JsonValue[] } as JsonObject
      const prompt = { text: question, metadata: kept }
      exchanges.push({ id: idOfPlace(exchanges.length), prompt, response: responseOf(entry) })
      fresh = []
    }
  }
  const last = exchanges.at(-1)
  if (!last)
    throw new CassetteError(
      'invalid-context',
      'Nothing in it is answered, so there is nothing to replay. ' +
        'To make a request of it: vitest-cassette history resume. To read it: vitest-cassette show.',
    )
  last.prompt.metadata.context = [
    ...(last.prompt.metadata.context as JsonValue[]),
    ...(fresh as unknown as JsonValue[]),
  ]
  const timestamp = new Date(readIsoTime(entries.at(-1)!.timestamp)).toISOString()
  return { conversationId, timestamp, exchanges }
}

function responseOf(entry: ContextEntry): WrittenResponse {
  const { text, reasoning, call, result } = entryContent(entry)
  const called = call && defined({ tool_name: call.name, parameters: call.parameters, result })
  return defined({ text, reasoning, tool_calls: called && [called] })
}
