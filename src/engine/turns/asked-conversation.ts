import {
  countTurns,
  readConversations,
  type AssistantEntry,
  type Conversation,
  type Entry,
} from '../../conversation/conversation.ts'

import type { PairedCall } from '../../conversation/paired-call.ts'
import { copyPlain } from '../../json/copy-plain.ts'
import type { Session } from '../session.ts'
import { turnsOf } from './asked-exchange.ts'
import { describeTurns } from './describe.ts'

/** One conversation of a test. */
export interface AskedConversation extends Omit<Conversation, 'steps'> {
  /** How often a user spoke. */
  turns: number
  /** The tool calls of the model, each with the result that the application sent back. */
  calls: PairedCall[]
}

/** The requests and answers of a test so far, linked into conversations. */
export function conversationsOf(session: Session): AskedConversation[] {
  // The times of later entries are this time plus the durations before them.
  const timestamp = session.cassette?.timestamp ?? new Date().toISOString()
  const exchanges = describeTurns(turnsOf(session))
  return readConversations({ conversationId: '', timestamp, exchanges }).map((conversation) => {
    const { steps: _, ...said } = conversation
    const calls = said.entries.flatMap((entry) => (isOfModel(entry) ? entry.calls : []))
    return copyPlain({ ...said, turns: countTurns([conversation]), calls })
  })
}

function isOfModel(entry: Entry): entry is AssistantEntry {
  return entry.role === 'assistant' && entry.server === undefined
}
