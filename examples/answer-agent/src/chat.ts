import { randomUUID } from 'node:crypto'

/** A question and its answer. */
export interface Exchange {
  question: string
  answer: string
}

/** How many exchanges a chat remembers, with the one that is being asked. */
export const MAX_EXCHANGES = 5

/** What was said in one chat, as far as it is remembered. */
export class Chat {
  /** `chat_<milliseconds since 1970>_<8 random digits>`. */
  readonly id = `chat_${Date.now()}_${randomUUID().slice(0, 8)}`
  #exchanges: Exchange[] = []
  #lastActive = Date.now()

  /** From the oldest to the newest. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges
  }

  /** What the model is told of the past when it is asked the next question. */
  get history(): readonly Exchange[] {
    return this.#exchanges.slice(1 - MAX_EXCHANGES)
  }

  /** Milliseconds since something was last said, or since the chat began. */
  get idleMs(): number {
    return Date.now() - this.#lastActive
  }

  /** Remembers an exchange, and forgets the oldest where there are too many. */
  add(exchange: Exchange): void {
    this.#exchanges = [...this.history, exchange]
    this.#lastActive = Date.now()
  }
}
