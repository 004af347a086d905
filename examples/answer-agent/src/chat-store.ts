import type { Chat } from './chat.ts'

/** The chats of this process, by id. */
export class ChatStore {
  readonly #chats = new Map<string, Chat>()

  keep(chat: Chat): void {
    this.#chats.set(chat.id, chat)
  }

  /** @throws UnknownChat */
  get(id: string): Chat {
    const chat = this.#chats.get(id)
    if (!chat) throw new UnknownChat(id)
    return chat
  }

  /** All chats, from the oldest to the newest. */
  list(): Chat[] {
    return [...this.#chats.values()]
  }

  /** Forgets a chat; false when there was none. */
  clear(id: string): boolean {
    return this.#chats.delete(id)
  }

  /** Forgets the chats in which nothing was said for so many milliseconds, and returns their ids. */
  clearInactive(idleMs: number): string[] {
    const inactive = this.list().filter((chat) => chat.idleMs >= idleMs)
    return inactive.map(({ id }) => id).filter((id) => this.clear(id))
  }
}

export class UnknownChat extends Error {
  constructor(id: string) {
    super(`There is no chat ${id}. It was cleared, or never began.`)
  }
}
