import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import type { AskedConversation } from '../../../recording/asked.ts'
import { cassetteOf, listOf, quoteText, resultOf, type MatcherResult } from './matcher-result.ts'

/** Asserts the number of user turns, in all conversations of a test or in one of them. */
export function toHaveTurns(this: MatcherState, received: unknown, count: number): MatcherResult {
  const conversations = isConversation(received)
    ? [received]
    : cassetteOf(received, 'toHaveTurns').conversations()
  if (!Number.isInteger(count) || count < 0)
    throw new TypeError(
      `toHaveTurns(${String(count)}): the number of turns is a whole number from 0.`,
    )
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns, 0)
  return resultOf(turns === count, () => {
    const subject = conversations.length === 1 ? 'conversation' : 'conversations'
    const instead = this.isNot ? '' : `, not ${count}`
    const lines = conversations.flatMap(describe)
    return [
      `The ${subject} had ${countOf(turns, 'turn')}${instead}`,
      lines.length > 0 ? listOf(lines) : 'The test asked nothing.',
    ]
  })
}

function isConversation(received: unknown): received is AskedConversation {
  return (
    typeof received === 'object' &&
    received !== null &&
    'entries' in received &&
    'turns' in received
  )
}

function describe({ thread, turns, entries }: AskedConversation): string[] {
  const said = entries.flatMap((entry) => (entry.role === 'user' ? entry : []))
  return [
    `${thread}: ${countOf(turns, 'turn')}`,
    ...said.map(({ turn, parts }) => {
      const text = parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
      return `  [Turn ${turn}] ${quoteText(text.join(' '))}`
    }),
  ]
}
