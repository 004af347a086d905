import { randomUUID } from 'node:crypto'

/** What was said in one chat, as far as the model is told of it. */
export interface Chat {
  chatId: string
  /** ISO 8601. */
  createdAt: string
  /** When something was last said. */
  lastActivityAt: string
  /** From the oldest to the newest: the last {@link MAX_EXCHANGES} questions, each with its answer. */
  messages: Message[]
}

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

/** How many past exchanges the model is told of with a question. */
export const MAX_EXCHANGES = 5

/** `chat-<milliseconds since 1970>-<9 random digits>`. */
export function newChatId(): string {
  return `chat-${Date.now()}-${randomUUID().replaceAll('-', '').slice(0, 9)}`
}
