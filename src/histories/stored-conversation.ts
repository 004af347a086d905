import { decodeCassette } from '../cassette/decode.ts'
import { encodeExchanges } from '../cassette/encode.ts'
import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from '../cassette/format.ts'
import { parseCassette } from '../cassette/parse.ts'
import { idOfPlace } from '../cassette/written.ts'
import { english, firstProblem } from '../config/parse-options.ts'
import { isJsonObject, tryParseJson, type JsonObject } from '../json/json-value.ts'
import { defined, jsonObject } from '../providers/fields.ts'
import {
  answersIn,
  readConversations,
  type Conversation,
  type Entry,
} from '../conversation/conversation.ts'
import {
  countAnew,
  describeConversation,
  mergeMetadata,
  type ConversationMetadata,
} from './conversation-metadata.ts'
import { METADATA } from './store/schemas.ts'
import { type PriceTable, usageOf } from '../conversation/cost.ts'
import type { RecordedStep } from '../conversation/step.ts'
import { messagesOf, contentText, threadsInLines } from './store/message-entries.ts'
import { findPictures } from '../conversation/find-pictures.ts'
import {
  readMessages,
  withTotal,
  type ConversationProblem,
  type StoredMessage,
} from './stored-message.ts'

/** A conversation as the files of its folder hold it. */
export interface StoredConversation {
  metadata: ConversationMetadata
  messages: StoredMessage[]
}

/** An exchange with all that its file has of it elsewhere. */
function recordedAs(stored: StoredExchange, { id, prompt: { hash } }: Exchange): StoredExchange {
  return { ...stored, id, prompt: { ...stored.prompt, ...(hash === undefined ? {} : { hash }) } }
}

/** Turns a cassette into a stored conversation, all of its threads in the order in which they ran. */
export function storeConversation(
  cassette: Cassette,
  id: string,
  workingDirectory: string,
  prices: PriceTable,
): StoredConversation & { blobs: Map<string, Buffer> } {
  const { exchanges, blobs } = encodeExchanges(cassette.exchanges)
  const encoded = new Map(cassette.exchanges.map((one, index) => [one, exchanges[index]!]))
  const pictures = findPictures(cassette.exchanges)
  const conversations = readConversations(cassette)
  const said = new Map<Exchange, StoredMessage[]>()
  for (const { thread, steps, entries } of conversations) {
    const answers = answersIn(entries)
    let first = 0
    // Two exchanges can have one id, so the answer of each marks its end.
    for (const [index, step] of steps.entries()) {
      const end = entries.indexOf(answers[index]!, first) + 1
      const lines = messagesOf(entries.slice(first, end - 1), thread, pictures)
      const [answer, ...results] = messagesOf(entries.slice(end - 1, end), thread, pictures)
      const recorded = recordedAs(encoded.get(step.exchange)!, step.exchange)
      const whole = { ...answer!, ...tokensOf(step, prices), recorded }
      said.set(step.exchange, [...lines, whole, ...results])
      first = end
    }
  }
  const all = cassette.exchanges.flatMap((exchange) => said.get(exchange)!)
  const isPrompt = all[0]?.said_by === 'system' && all[0].dropped === undefined
  const messages = isPrompt ? all.slice(1) : all
  const described = describeConversation(conversations, messages, prices)
  return {
    metadata: {
      id,
      title: cassette.conversationId,
      ...described,
      system_prompt: isPrompt ? contentText(all[0]!.content) : null,
      working_directory: workingDirectory,
      cassette_timestamp: cassette.timestamp,
      ...headOf(cassette),
    },
    messages,
    blobs,
  }
}

/** The head of a cassette, where it holds more than its name and its date. */
function headOf({
  oldestAnswer,
  invalid,
  params,
  proposedParams,
}: Cassette): Pick<ConversationMetadata, 'cassette_head'> {
  const head = jsonObject({
    oldest_answer: oldestAnswer,
    invalid: invalid as JsonObject | undefined,
    params: params as JsonObject | undefined,
    proposed_params: proposedParams as JsonObject | undefined,
  })
  return Object.keys(head).length > 0 ? { cassette_head: head } : {}
}

function tokensOf(step: RecordedStep, prices: PriceTable): Pick<StoredMessage, 'tokens'> {
  const { inputTokens, outputTokens, uncounted, unpriced, cost } = usageOf(step, prices)
  if (uncounted > 0 || inputTokens + outputTokens === 0) return {}
  return {
    tokens: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      ...(unpriced > 0 ? {} : { total_cost: cost }),
    },
  }
}

/**
 * Reads the files of a conversation. Names the parts that cannot be read, and returns the rest.
 *
 * @param metadataText `undefined` if the file is missing; the metadata is then counted from the lines
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
  const value = tryParseJson(metadataText.replace(/^\uFEFF/, ''))
  const whole = isJsonObject(value) ? withTotal(value, 'token_usage') : value
  const result = METADATA.safeParse(whole, { error: english })
  if (result.success) return { metadata: mergeMetadata(result.data, counted), messages, problems }
  const problem = value === undefined ? 'it is not JSON' : firstProblem(result.error)
  problems.push({ kind: 'bad-metadata', file, problem })
  return { metadata: counted, messages, problems }
}

/** Whether a conversation has messages that do not come from its cassette. */
export function hasGoneOn(messages: readonly StoredMessage[]): boolean {
  return messages.some(({ exchange }) => exchange === undefined)
}

/** The threads of a stored conversation, read from its lines alone. */
export function storedThreads({ metadata, messages }: StoredConversation): Conversation[] {
  const { model_id: model, system_prompt: prompt, created_at: time } = metadata
  return threadsInLines(messages).map(({ thread, entries }, index) => {
    const isTold = entries[0]?.role === 'system'
    const system = index === 0 && prompt && !isTold ? [systemEntry(prompt, time)] : []
    return defined({
      thread,
      model: model ?? undefined,
      entries: [...system, ...entries],
      steps: [],
    })
  })
}

function systemEntry(text: string, time: string): Entry {
  return { role: 'system', parts: [{ type: 'text', text }], turn: 0, time, exchange: '' }
}

/**
 * The cassette that a stored conversation was made of, or `undefined` for one that another program wrote, or that
 * went on since. Leaves out, and names, the exchanges that refer to one that was lost with its line.
 */
export function cassetteOfStored(
  { metadata, messages }: StoredConversation,
  load: (name: string) => Buffer,
): { cassette: Cassette; problems: ConversationProblem[] } | undefined {
  const recorded = messages.flatMap(({ recorded }) => recorded ?? [])
  if (recorded.length === 0 || hasGoneOn(messages)) return undefined
  const lost: string[] = []
  let kept: StoredExchange[] = []
  const stored = (exchanges: StoredExchange[]): StoredCassette =>
    parseCassette(
      JSON.stringify({
        version: FORMAT_VERSION,
        conversation_id: metadata.title ?? metadata.id,
        timestamp: metadata.cassette_timestamp ?? new Date(metadata.updated_at).toISOString(),
        ...metadata.cassette_head,
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
  const problem = `a lost line held values that ${lost.join(', ')} need`
  return {
    cassette: decodeCassette(stored(kept), load),
    problems: lost.length > 0 ? [{ kind: 'lost-exchange', file: 'messages.jsonl', problem }] : [],
  }
}
