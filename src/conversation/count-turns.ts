import type { Conversation } from './conversation.ts'

/** How often a user spoke in a conversation. */
export function countTurns({ entries }: Conversation): number {
  return entries.filter(({ role }) => role === 'user').length
}
