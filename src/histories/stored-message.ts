import type { StoredExchange } from '../cassette/format.ts'
import { english, firstProblem } from '../config/parse-options.ts'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Entry } from '../conversation/conversation.ts'
import type { PairedCall } from '../conversation/entries.ts'
import { MESSAGE } from './store/schemas.ts'

/** One line of `messages.jsonl`. Fields that are not listed here are kept as they are. */
export interface StoredMessage {
  role: Entry['role']
  /** A text, or any JSON that another program keeps there. Of role `tool`: the result of the tool. */
  content: JsonValue
  timestamp: string
  /** Of role `tool`: the name of the tool, and the id of the call. */
  tool_name?: string
  tool_use_id?: string
  /** The tokens of an answer, and of the whole request before it. */
  tokens?: StoredTokens
  /** Marks a system message, whose role is `user` here, since every reader knows that role. */
  said_by?: 'system'
  turn?: number
  thread?: string
  exchange?: string
  user_id?: string
  reasoning?: string
  tool_calls?: PairedCall[]
  /** How many earlier messages the application left out here. */
  dropped?: number
  error?: string
  /** The whole exchange as a cassette holds it, on the line of its answer. */
  recorded?: StoredExchange
}

/** Tokens of one line, or of a conversation. */
export interface StoredTokens {
  input_tokens: number
  output_tokens: number
  total_tokens: number
  /** US dollars; absent or `null` where it is unknown. */
  total_cost?: number | null
}

/** A line that cannot be read, or another problem of a stored conversation. */
export interface ConversationProblem {
  /** `bad-line`, `half-written-tail`, `missing-metadata`, `bad-metadata` or `lost-exchange`. */
  kind: 'bad-line' | 'half-written-tail' | 'missing-metadata' | 'bad-metadata' | 'lost-exchange'
  file: string
  line?: number
  problem: string
}

/** Reads the messages of a file, one a line, and names the lines that cannot be read. */
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
      const given = isJsonObject(value) ? withTotal(withoutNulls(value), 'tokens') : value
      const problem = given === undefined ? 'it is not JSON' : problemOf(given)
      if (problem === undefined) messages.push(given as unknown as StoredMessage)
      else problems.push({ kind: 'bad-line', file, line: index + 1, problem })
    }
  }
  return { messages, problems }
}

/** Drops fields that are `null`, except `content`: some programs write every field, and `null` into the unused. */
function withoutNulls(line: JsonObject): JsonObject {
  const given = Object.entries(line).filter(([name, value]) => value !== null || name === 'content')
  return Object.fromEntries(given)
}

/** Adds the total of tokens where a program wrote only its parts. */
export function withTotal(value: JsonObject, field: 'tokens' | 'token_usage'): JsonObject {
  const tokens = value[field]
  if (!isJsonObject(tokens) || (tokens.total_tokens ?? null) !== null) return value
  const { input_tokens: input, output_tokens: output } = tokens
  if (typeof input !== 'number' || typeof output !== 'number') return value
  return { ...value, [field]: { ...tokens, total_tokens: input + output } }
}

function problemOf(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return 'it is no JSON object'
  if (value.content === undefined) return 'at /content: it is missing'
  const result = MESSAGE.safeParse(value, { error: english })
  return result.success ? undefined : firstProblem(result.error)
}

/** The text of a file with these lines. */
export function storedLines(messages: readonly (StoredMessage | JsonObject)[]): string {
  return messages.map((message) => JSON.stringify(message) + '\n').join('')
}
