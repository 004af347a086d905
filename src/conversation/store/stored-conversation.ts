import * as z from 'zod/mini'
import { decodeCassette } from '../../cassette/format/decode-cassette.ts'
import { encodeExchanges } from '../../cassette/format/encode-cassette.ts'
import type { Cassette, Exchange } from '../../cassette/format/cassette.ts'
import {
  FORMAT_VERSION,
  type StoredCassette,
  type StoredExchange,
} from '../../cassette/format/format.ts'
import { parseCassette } from '../../cassette/format/parse.ts'
import { idOfPlace } from '../../cassette/format/written-exchange.ts'
import { isJsonObject, tryParseJson } from '../../json/json-value.ts'
import { answersIn, readConversations, type Conversation, type Entry } from '../conversation.ts'
import {
  countAnew,
  describeConversation,
  type ConversationMetadata,
} from './conversation-metadata.ts'
import type { PriceTable } from '../cost/cost.ts'
import { findPictures } from '../transcript/pictures.ts'
import {
  entryOf,
  messageOf,
  readMessages,
  type ConversationProblem,
  type StoredMessage,
} from './stored-message.ts'

/** A conversation as the files of its folder hold it. */
export interface StoredConversation {
  metadata: ConversationMetadata
  messages: StoredMessage[]
}

const metadata = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})

/** Turns a cassette into a stored conversation, all of its threads in the order in which they ran. */
export function storeConversation(
  cassette: Cassette,
  id: string,
  workingDirectory: string,
  prices: PriceTable,
): StoredConversation & { blobs: Map<string, Buffer> } {
  const { exchanges, blobs } = encodeExchanges(cassette.exchanges)
  const pictures = findPictures(cassette.exchanges)
  const conversations = readConversations(cassette)
  const said = new Map<Exchange, StoredMessage[]>()
  for (const { thread, steps, entries } of conversations) {
    const messages = entries.map((entry) => messageOf(entry, thread, pictures))
    const answers = answersIn(entries)
    let first = 0
    // Two exchanges can have one id; what ends each is its answer.
    for (const [index, { exchange }] of steps.entries()) {
      const end = entries.indexOf(answers[index]!, first) + 1
      said.set(exchange, messages.slice(first, end))
      first = end
    }
  }
  const messages = cassette.exchanges.flatMap((exchange, index) => {
    const lines = said.get(exchange)!
    const recorded = { ...exchanges[index]!, id: exchange.id }
    return [...lines.slice(0, -1), { ...lines.at(-1)!, recorded }]
  })
  const { conversationId: title, timestamp } = cassette
  const described = describeConversation(conversations, messages, prices)
  return {
    metadata: {
      id,
      title,
      ...described,
      working_directory: workingDirectory,
      cassette_timestamp: timestamp,
    },
    messages,
    blobs,
  }
}

/**
 * Reads the files of a conversation. What cannot be read is named, and the rest is served.
 *
 * @param metadataText `undefined` where the file is missing; what it says is then counted anew
 */
export function readStoredConversation(
  id: string,
  metadataText: string | undefined,
  messagesText: string,
  workingDirectory: string,
): StoredConversation & { problems: ConversationProblem[] } {
  const { messages, problems } = readMessages(messagesText, 'messages.jsonl')
  const counted = countAnew(id, messages, workingDirectory)
  const file = 'metadata.json'
  if (metadataText === undefined) {
    problems.push({ kind: 'missing-metadata', file, problem: 'it is missing' })
    return { metadata: counted, messages, problems }
  }
  const value = tryParseJson(metadataText)
  const result = metadata.safeParse(value)
  if (result.success && isJsonObject(value))
    return {
      metadata: { ...counted, ...(value as Partial<ConversationMetadata>) },
      messages,
      problems,
    }
  const problem = value === undefined ? 'it is not JSON' : 'id, created_at or updated_at is missing'
  problems.push({ kind: 'bad-metadata', file, problem })
  return { metadata: counted, messages, problems }
}

/** The threads of a stored conversation, read from its lines alone. */
export function conversationsOf({ metadata, messages }: StoredConversation): Conversation[] {
  const byThread = new Map<string, Entry[]>()
  for (const message of messages) {
    const thread = message.thread ?? 'thread-1'
    byThread.set(thread, [...(byThread.get(thread) ?? []), entryOf(message)])
  }
  const { model_id: model } = metadata
  return [...byThread].map(([thread, entries]) => ({
    thread,
    ...(model === null ? {} : { model }),
    entries,
    steps: [],
  }))
}

/**
 * The cassette that a stored conversation was made of, or `undefined` for one that another program
 * wrote. Exchanges that were lost with a line, and those that refer to them, are named.
 */
export function cassetteOfStored(
  { metadata, messages }: StoredConversation,
  load: (name: string) => Buffer,
): { cassette: Cassette; problems: ConversationProblem[] } | undefined {
  const recorded = messages.flatMap(({ recorded }) => recorded ?? [])
  if (recorded.length === 0) return undefined
  const lost: string[] = []
  let kept: StoredExchange[] = []
  const stored = (exchanges: StoredExchange[]): StoredCassette =>
    parseCassette(
      JSON.stringify({
        version: FORMAT_VERSION,
        conversation_id: metadata.title ?? metadata.id,
        timestamp: metadata.cassette_timestamp ?? new Date(metadata.updated_at).toISOString(),
        exchanges,
      }),
    )
  try {
    decodeCassette(stored(recorded), load)
    kept = recorded
  } catch {
    for (const exchange of recorded) {
      try {
        decodeCassette(stored([...kept, exchange]), load)
        kept.push(exchange)
      } catch {
        lost.push(exchange.id ?? idOfPlace(recorded.indexOf(exchange)))
      }
    }
  }
  const problem = `what ${lost.join(', ')} refer to was lost with a line`
  return {
    cassette: decodeCassette(stored(kept), load),
    problems: lost.length > 0 ? [{ kind: 'lost-exchange', file: 'messages.jsonl', problem }] : [],
  }
}
