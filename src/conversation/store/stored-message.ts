import * as z from 'zod/mini'
import type { StoredExchange } from '../../cassette/format/format.ts'
import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Entry } from '../conversation.ts'
import type { PairedCall } from '../paired-call.ts'
import type { Pictures } from '../transcript/pictures.ts'
import { printParts } from '../transcript/print-part.ts'

/** One line of `messages.jsonl`. Fields that are not listed here are kept as they are. */
export interface StoredMessage {
  role: Entry['role']
  content: string
  timestamp: string
  turn?: number
  thread?: string
  exchange?: string
  user_id?: string
  reasoning?: string
  tool_calls?: PairedCall[]
  /** How many messages the application left out; of role `dropped` only. */
  dropped?: number
  error?: string
  /** The whole exchange as a cassette holds it, with the line that ends it. */
  recorded?: StoredExchange
}

/** A line that cannot be read, or what else is wrong with a stored conversation. */
export interface ConversationProblem {
  /** `bad-line`, `half-written-tail`, `missing-metadata`, `bad-metadata` or `lost-exchange`. */
  kind: 'bad-line' | 'half-written-tail' | 'missing-metadata' | 'bad-metadata' | 'lost-exchange'
  file: string
  line?: number
  problem: string
}

const call = z.looseObject({
  name: z.string(),
  parameters: z.unknown(),
  id: z.optional(z.string()),
  result: z.optional(z.unknown()),
})

const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'dropped']),
  content: z.string(),
  timestamp: z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time)), 'no time')),
  reasoning: z.optional(z.string()),
  tool_calls: z.optional(z.array(call)),
  recorded: z.optional(z.looseObject({ id: z.string() })),
})

// Without a language, zod says `Invalid input` to everything.
const english = z.locales.en().localeError

/** The lines of a file, without the line breaks; the last one is empty where the file is whole. */
export function readMessages(
  text: string,
  file: string,
): { messages: StoredMessage[]; problems: ConversationProblem[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const messages: StoredMessage[] = []
  const problems: ConversationProblem[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = tryParseJson(line)
    const isTail = index === lines.length - 1
    if (value === undefined && isTail) {
      const problem = `the last line breaks off after ${line.length} characters`
      problems.push({ kind: 'half-written-tail', file, line: index + 1, problem })
    } else {
      const problem = value === undefined ? 'it is not JSON' : problemOf(value)
      if (problem === undefined) messages.push(value as unknown as StoredMessage)
      else problems.push({ kind: 'bad-line', file, line: index + 1, problem })
    }
  }
  return { messages, problems }
}

function problemOf(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return 'it is no JSON object'
  const result = message.safeParse(value, { error: english })
  if (result.success) return undefined
  const [issue] = result.error.issues
  return `at /${issue!.path.map(String).join('/')}: ${issue!.message}`
}

/** An entry of a conversation as a line. */
export function messageOf(entry: Entry, thread: string, pictures: Pictures): StoredMessage {
  const { role, time: timestamp, turn, exchange } = entry
  const place = { timestamp, turn, thread, exchange }
  if (entry.role === 'dropped') return { role, content: '', ...place, dropped: entry.messages }
  if (entry.role !== 'assistant') {
    const content = printParts(entry.parts, pictures)
    return { role, content, ...place, ...(entry.userId ? { user_id: entry.userId } : {}) }
  }
  const { text, reasoning, calls, completion } = entry
  return {
    role,
    content: text,
    ...place,
    ...(reasoning ? { reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(completion?.error === undefined ? {} : { error: completion.error }),
  }
}

/** A line as the entry of a conversation that it was. */
export function entryOf(message: StoredMessage): Entry {
  const { role, content, timestamp: time, turn = 0, exchange = '' } = message
  const place = { time, turn, exchange }
  if (role === 'dropped') return { role, messages: message.dropped ?? 0, ...place }
  if (role !== 'assistant') {
    const userId = message.user_id
    const parts = [{ type: 'text' as const, text: content }]
    return { role, parts, ...(userId === undefined ? {} : { userId }), ...place }
  }
  const { reasoning, tool_calls: calls = [], error } = message
  const completion = { text: content, toolCalls: [], finishReasons: [], error }
  return {
    role,
    text: content,
    ...(reasoning === undefined ? {} : { reasoning }),
    calls,
    ...(error === undefined ? {} : { completion }),
    ...place,
  }
}

/** The text of a file with these lines. */
export function writeMessages(messages: readonly (StoredMessage | JsonObject)[]): string {
  return messages.map((message) => JSON.stringify(message) + '\n').join('')
}
