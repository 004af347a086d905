import { randomUUID } from 'node:crypto'

/** One chat, with the messages that are sent to the model. */
export interface Chat {
  chatId: string
  /** ISO 8601. */
  createdAt: string
  /** The time of the last message, ISO 8601. */
  lastActivityAt: string
  /** From the oldest to the newest: the last {@link MAX_EXCHANGES} questions, each with its answer. */
  messages: Message[]
}

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

/** How many past exchanges are sent to the model with a question. */
export const MAX_EXCHANGES = 5

/** `chat-<milliseconds since 1970>-<9 random digits>`. */
export function newChatId(): string {
  return `chat-${Date.now()}-${randomUUID().replaceAll('-', '').slice(0, 9)}`
}
