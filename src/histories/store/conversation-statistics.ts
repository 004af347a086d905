import { countTurns, type Conversation } from '../../conversation/conversation.ts'
import type { StoredConversation } from '../stored-conversation.ts'

/** The figures of a stored conversation. */
export interface ConversationStatistics {
  messageCount: number
  /** The messages of each role. */
  userMessages: number
  assistantMessages: number
  toolMessages: number
  /** A turn begins when a user speaks. */
  turns: number
  threads: number
  /** A task is a tool call: completed when it was answered, failed when the answer says so. */
  taskCount: number
  completedTasks: number
  failedTasks: number
  inputTokens: number
  outputTokens: number
  totalTokens: number
  /** US dollars; `undefined` where the cost of an answer is unknown. */
  totalCost: number | undefined
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  durationMs: number
}

/** Counts a stored conversation: its lines, and the figures that its metadata states. */
export function statisticsOf(
  { metadata, messages }: StoredConversation,
  conversations: readonly Conversation[],
): ConversationStatistics {
  const { created_at: createdAt, updated_at: updatedAt, token_usage: usage } = metadata
  const spoke = (who: string): number =>
    messages.filter(({ role, said_by: speaker }) => (speaker ?? role) === who).length
  return {
    messageCount: metadata.message_count,
    userMessages: spoke('user'),
    assistantMessages: spoke('assistant'),
    toolMessages: spoke('tool'),
    turns: countTurns(conversations),
    threads: conversations.length,
    taskCount: metadata.task_count,
    completedTasks: metadata.completed_tasks,
    failedTasks: metadata.failed_tasks,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    totalCost: usage.total_cost ?? undefined,
    createdAt,
    updatedAt,
    durationMs: Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)),
  }
}
