import type { JsonObject } from '../json/json-value.ts'
import { countCalls } from '../conversation/entries.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { type PriceTable, sumUsage, usageOf } from '../conversation/cost.ts'
import { contentText, threadsInLines } from './store/message-entries.ts'
import type { StoredMessage, StoredTokens } from './stored-message.ts'

/** The content of `metadata.json`. Fields that are not listed here are kept as they are. */
export interface ConversationMetadata {
  id: string
  /** The name for people: the test of the cassette, or the id. */
  title: string
  model_id: string | null
  system_prompt: string | null
  /** ISO 8601. */
  created_at: string
  /** The time of the last message. */
  updated_at: string
  working_directory: string
  message_count: number
  /** A task is a tool call: completed when it was answered, failed when the answer says so. */
  has_tasks: boolean
  task_count: number
  completed_tasks: number
  failed_tasks: number
  token_usage: StoredTokens & { cached_tokens?: number; reasoning_tokens?: number }
  /** The time of the cassette, where the conversation comes from one. */
  cassette_timestamp?: string
  /** The fields of that cassette beside its exchanges, as its file has them: its parameters, a mark, its age. */
  cassette_head?: JsonObject
  /** The path of that cassette below the cassette folder. */
  cassette_path?: string
}

/** The figures that the lines of a conversation give. */
type LineFigures = Pick<
  ConversationMetadata,
  'message_count' | 'has_tasks' | 'task_count' | 'completed_tasks' | 'failed_tasks' | 'token_usage'
>

/** The metadata that a file states, whichever program wrote it. */
type StatedMetadata = Pick<ConversationMetadata, 'id' | 'created_at' | 'updated_at'> & {
  [Name in keyof ConversationMetadata]?: ConversationMetadata[Name] | null | undefined
}

/** The metadata of a recorded conversation. */
export function describeConversation(
  conversations: Conversation[],
  messages: StoredMessage[],
  prices: PriceTable,
): Omit<ConversationMetadata, 'id' | 'title' | 'working_directory'> {
  const steps = conversations.flatMap((conversation) => conversation.steps)
  const usage = sumUsage(steps.map((step) => usageOf(step, prices)))
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, cost, unpriced } = usage
  return {
    ...timesOf(messages),
    ...countLines(messages),
    system_prompt: null,
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

/** Counts the figures of lines. */
function countLines(messages: readonly StoredMessage[]): LineFigures {
  const said = messages.filter(({ role }) => role !== 'dropped')
  const calls = countCalls(threadsInLines(said).flatMap(({ entries }) => entries))
  const counted = said.flatMap(({ tokens: taken }) => taken ?? [])
  const isPriced = said.every(
    ({ role, tokens: taken }) =>
      (role !== 'assistant' && !taken) || typeof taken?.total_cost === 'number',
  )
  return {
    message_count: said.length,
    has_tasks: calls.all > 0,
    task_count: calls.all,
    completed_tasks: calls.completed,
    failed_tasks: calls.failed,
    token_usage: sumTokens(counted, isPriced),
  }
}

function sumTokens(all: readonly StoredTokens[], isPriced: boolean): StoredTokens {
  const sum = (name: keyof StoredTokens): number =>
    all.reduce((total, taken) => total + taken[name]!, 0)
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    total_tokens: sum('total_tokens'),
    total_cost: isPriced ? sum('total_cost') : null,
  }
}

/** The metadata of a conversation, counted from its lines alone. */
export function countAnew(
  id: string,
  messages: StoredMessage[],
  directory: string,
): ConversationMetadata {
  const system = messages.find((message) => (message.said_by ?? message.role) === 'system')
  return {
    id,
    title: id,
    model_id: null,
    system_prompt: system ? contentText(system.content) : null,
    working_directory: directory,
    ...timesOf(messages),
    ...countLines(messages),
  }
}

/**
 * Merges the stated metadata with the counted one: a program may keep figures beside its lines, and a writer
 * may have been killed before it counted its last line.
 */
export function mergeMetadata(
  stated: StatedMetadata,
  counted: ConversationMetadata,
): ConversationMetadata {
  const given = Object.entries(stated).filter(([, value]) => value !== null && value !== undefined)
  const tasks = stated.task_count ?? 0
  const { token_usage: usage, updated_at: updated } = stated
  const hasMoreTasks = tasks > counted.task_count
  const isLater = Date.parse(counted.updated_at) > Date.parse(updated)
  return {
    ...counted,
    ...(Object.fromEntries(given) as Partial<ConversationMetadata>),
    updated_at: isLater && counted.message_count > 0 ? counted.updated_at : updated,
    message_count: Math.max(stated.message_count ?? 0, counted.message_count),
    has_tasks: tasks > 0 || counted.has_tasks,
    task_count: hasMoreTasks ? tasks : counted.task_count,
    completed_tasks: hasMoreTasks ? (stated.completed_tasks ?? 0) : counted.completed_tasks,
    failed_tasks: hasMoreTasks ? (stated.failed_tasks ?? 0) : counted.failed_tasks,
    token_usage:
      usage && usage.total_tokens >= counted.token_usage.total_tokens ? usage : counted.token_usage,
  }
}

/** The metadata after more lines were added to those that it counts. */
export function addLines(
  base: ConversationMetadata,
  added: readonly StoredMessage[],
): ConversationMetadata {
  if (added.length === 0) return base
  const more = countLines(added)
  const usages = [base.token_usage, more.token_usage]
  const isPriced = usages.every(({ total_cost: cost }) => typeof cost === 'number')
  return {
    ...base,
    updated_at: added.at(-1)!.timestamp,
    message_count: base.message_count + more.message_count,
    has_tasks: base.has_tasks || more.has_tasks,
    task_count: base.task_count + more.task_count,
    completed_tasks: base.completed_tasks + more.completed_tasks,
    failed_tasks: base.failed_tasks + more.failed_tasks,
    token_usage: { ...base.token_usage, ...sumTokens(usages, isPriced) },
  }
}

/** The times of the first and the last message; the present time if there are none. */
function timesOf(
  messages: StoredMessage[],
): Pick<ConversationMetadata, 'created_at' | 'updated_at'> {
  const now = new Date().toISOString()
  return {
    created_at: messages[0]?.timestamp ?? now,
    updated_at: messages.at(-1)?.timestamp ?? now,
  }
}
