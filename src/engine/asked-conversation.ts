import { countTurns, readConversations, type Conversation } from '../conversation/conversation.ts'
import type { PairedCall } from '../conversation/paired-call.ts'
import { copyPlain } from '../json/copy-plain.ts'
import { describeTurns, type Turn } from './describe.ts'

/** What was said in one thread of what a test asked. */
export interface AskedConversation extends Omit<Conversation, 'steps'> {
  /** How often a user spoke. */
  turns: number
  /** The tool calls of the model, each with what the application sent back for it. */
  calls: PairedCall[]
}

/**
 * Links what was asked and got into conversations.
 *
 * @param timestamp when the first of it was asked, ISO 8601; later times count on by the durations
 */
export function linkAsked(turns: Turn[], timestamp: string): AskedConversation[] {
  const exchanges = describeTurns(turns)
  return readConversations({ conversationId: '', timestamp, exchanges }).map((conversation) => {
    const { steps: _, ...said } = conversation
    const calls = said.entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []))
    return copyPlain({ ...said, turns: countTurns(conversation), calls })
  })
}
