import type { Conversation } from '../conversation.ts'
import type { PriceTable } from '../cost/cost.ts'
import type { StoredMessage } from './stored-message.ts'
import { sumUsage, usageOf } from '../cost/usage.ts'

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

/** What a conversation holds and took. */
export function describeConversation(
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

/** What the lines alone tell of a conversation. */
export function countAnew(
  id: string,
  messages: StoredMessage[],
  directory: string,
): ConversationMetadata {
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
