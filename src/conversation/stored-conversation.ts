import * as z from 'zod/mini'
import { decodeCassette, encodeCassette } from '../cassette/codec.ts'
import type { Cassette } from '../cassette/cassette.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from '../cassette/format.ts'
import { parseCassette } from '../cassette/parse.ts'
import { isJsonObject, tryParseJson } from '../json/json-value.ts'
import { readConversations, type Conversation, type Entry } from './conversation.ts'
import type { PriceTable } from './cost.ts'
import { findPictures } from './pictures.ts'
import {
  entryOf,
  messageOf,
  readMessages,
  type ConversationProblem,
  type StoredMessage,
} from './stored-message.ts'
import { sumUsage, usageOf } from './usage.ts'

/** What `metadata.json` says of a conversation. */
export interface ConversationMetadata {
  id: string
  /** The conversation id of the cassette, for people. */
  title: string
  model_id: string | null
  system_prompt: string | null
  created_at: string
  updated_at: string
  working_directory: string
  message_count: number
  /** Tool calls, and those of them that were answered. */
  task_count: number
  completed_task_count: number
  token_usage: {
    input_tokens: number
    cached_tokens: number
    output_tokens: number
    reasoning_tokens: number
    total_tokens: number
    /** US dollars; `null` where the price of an answer is unknown. */
    total_cost: number | null
  }
  /** The time of the cassette, where the conversation comes from one. */
  cassette_timestamp?: string
  /** Where that cassette lies, below the cassette folder. */
  cassette_path?: string
}

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
  const { stored, blobs } = encodeCassette(cassette, '')
  const pictures = findPictures(cassette.exchanges)
  const conversations = readConversations(cassette)
  const byExchange = new Map<string, StoredMessage[]>()
  for (const { thread, entries } of conversations) {
    for (const entry of entries) {
      const messages = byExchange.get(entry.exchange) ?? []
      byExchange.set(entry.exchange, [...messages, messageOf(entry, thread, pictures)])
    }
  }
  const messages = stored.exchanges.flatMap((exchange) => {
    const said = byExchange.get(exchange.id) ?? []
    return said.map((message, index) =>
      index === said.length - 1 ? { ...message, recorded: exchange } : message,
    )
  })
  const { conversationId: title, timestamp } = cassette
  const described = describe(conversations, messages, prices)
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
        lost.push(exchange.id)
      }
    }
  }
  const problem = `what ${lost.join(', ')} refer to was lost with a line`
  return {
    cassette: decodeCassette(stored(kept), load),
    problems: lost.length > 0 ? [{ kind: 'lost-exchange', file: 'messages.jsonl', problem }] : [],
  }
}

function describe(
  conversations: Conversation[],
  messages: StoredMessage[],
  prices: PriceTable,
): Omit<ConversationMetadata, 'id' | 'title' | 'working_directory'> {
  const steps = conversations.flatMap((conversation) => conversation.steps)
  const usage = sumUsage(steps.map((step) => usageOf(step, prices)))
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, cost, unpriced } = usage
  return {
    ...count(messages),
    model_id: conversations.find(({ model }) => model !== undefined)?.model ?? null,
    token_usage: {
      input_tokens: inputTokens,
      cached_tokens: cachedTokens,
      output_tokens: outputTokens,
      reasoning_tokens: reasoningTokens,
      total_tokens: inputTokens + outputTokens,
      total_cost: unpriced > 0 ? null : cost,
    },
  }
}

function count(
  messages: StoredMessage[],
): Pick<
  ConversationMetadata,
  | 'system_prompt'
  | 'created_at'
  | 'updated_at'
  | 'message_count'
  | 'task_count'
  | 'completed_task_count'
> {
  const said = messages.filter(({ role }) => role !== 'dropped')
  const calls = said.flatMap(({ tool_calls: calls = [] }) => calls)
  const never = new Date(0).toISOString()
  return {
    system_prompt: said.find(({ role }) => role === 'system')?.content ?? null,
    created_at: said[0]?.timestamp ?? never,
    updated_at: said.at(-1)?.timestamp ?? never,
    message_count: said.length,
    task_count: calls.length,
    completed_task_count: calls.filter(({ result }) => result !== undefined).length,
  }
}

function countAnew(id: string, messages: StoredMessage[], directory: string): ConversationMetadata {
  return {
    id,
    title: id,
    model_id: null,
    working_directory: directory,
    ...count(messages),
    token_usage: {
      input_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
      total_tokens: 0,
      total_cost: null,
    },
  }
}
