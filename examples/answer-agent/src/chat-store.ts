import { createHash } from 'node:crypto'
import {
  CassetteError,
  ConversationStore,
  type ConversationMetadata,
} from 'vitest-cassette/conversations'
import { MAX_EXCHANGES, type Chat, type Message } from './chat.ts'

const DAY_MS = 24 * 60 * 60_000

/** Options of a {@link ChatStore}. */
export interface ChatStoreOptions {
  /** @default '.chats' */
  folder?: string
  /** @default standard error, as standard output may be the wire of MCP */
  log?: (line: string) => void
}

/** Chats by id, in files: they outlive the process, and several processes may share them. */
export class ChatStore {
  readonly #store: ConversationStore
  readonly #log: (line: string) => void

  constructor({ folder = '.chats', log = console.error }: ChatStoreOptions = {}) {
    this.#store = new ConversationStore({ store: folder })
    this.#log = log
  }

  /** A chat, or null where there is none. */
  get(chatId: string): Chat | null {
    const metadata = this.#find(chatId)
    return metadata ? this.#chatOf(metadata) : null
  }

  /** All chats, the one with the latest message first. */
  list(): Chat[] {
    return this.#store.listConversations().map((metadata) => this.#chatOf(metadata))
  }

  /** Adds an exchange to a chat, or begins one with it. */
  async add(chatId: string, question: string, answer: string): Promise<void> {
    const exchange = [
      { role: 'user' as const, content: question },
      { role: 'assistant' as const, content: answer },
    ]
    const id = storedId(chatId)
    await this.#begin(chatId)
    // Both at once, so that no message of another process comes between them.
    await this.#store.resumeConversation(id).addMessages(exchange)
    if (this.#store.readMessages(id).length > MAX_EXCHANGES * 2)
      this.#log(`Chat ${chatId} history trimmed to last ${MAX_EXCHANGES} exchanges`)
  }

  /** Deletes a chat, so that its id begins afresh; false when there was none. */
  async clear(chatId: string): Promise<boolean> {
    const wasThere = await this.#delete(chatId)
    this.#log(`Cleared conversation: ${chatId}`)
    return wasThere
  }

  /** Deletes the chats without a message for longer than `idleMs`, and returns their ids. */
  async clearInactive(idleMs: number = DAY_MS): Promise<string[]> {
    const now = Date.now()
    const cleared: string[] = []
    for (const { chatId, lastActivityAt } of this.list()) {
      if (now - Date.parse(lastActivityAt) > idleMs && (await this.#delete(chatId)))
        cleared.push(chatId)
    }
    if (cleared.length > 0) this.#log(`Cleared ${cleared.length} inactive conversations`)
    return cleared
  }

  async #begin(chatId: string): Promise<void> {
    if (this.#find(chatId)) return
    try {
      await this.#store.startConversation({ id: storedId(chatId), title: chatId })
    } catch (error) {
      // Another process may have begun the chat a moment ago.
      if (!this.#find(chatId)) throw error
    }
  }

  async #delete(chatId: string): Promise<boolean> {
    if (!this.#find(chatId)) return false
    await this.#store.deleteConversation(storedId(chatId))
    return true
  }

  #find(chatId: string): ConversationMetadata | undefined {
    try {
      return this.#store.loadMetadata(storedId(chatId))
    } catch (error) {
      if (CassetteError.isInstance(error) && error.code === 'invalid-conversation') return undefined
      throw error
    }
  }

  #chatOf({ id, title, created_at, updated_at }: ConversationMetadata): Chat {
    const messages = this.#store
      .readMessages(id)
      .map(({ role, content }) => ({ role, content }) as Message)
      .slice(-MAX_EXCHANGES * 2)
    return { chatId: title, createdAt: created_at, lastActivityAt: updated_at, messages }
  }
}

/** Converts any id of a caller to one that the store accepts as the name of a folder. */
function storedId(chatId: string): string {
  if (/^\w[\w.-]{0,99}$/.test(chatId)) return chatId
  return `chat-${createHash('sha256').update(chatId).digest('hex')}`
}
