import type { PromptChange, MessagePlace } from './prompt-change.ts'
import type { MessagePair } from './pair-messages.ts'
import type { ItemPair } from './pair-sequences.ts'

/** A pair of messages, the pairs of their parts, and the changes between them. */
export interface ComparedMessage {
  pair: MessagePair
  parts: ItemPair[]
  changes: MessageChange[]
}

/** A change inside a conversation. */
export type MessageChange = PromptChange & { place: MessagePlace }

/** The place of `path` inside a message. */
export function messagePlace(pair: MessagePair, role: string, path: string): MessagePlace {
  const place: MessagePlace = { area: 'message', role, path, unchangedBefore: 0, unchangedAfter: 0 }
  if (pair.recorded !== undefined) place.recorded = pair.recorded + 1
  if (pair.received !== undefined) place.received = pair.received + 1
  return place
}
