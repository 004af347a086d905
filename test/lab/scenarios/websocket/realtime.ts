// A conversation over OpenAI's realtime protocol, with whatever class makes the socket.

/** What a WebSocket is to its user, whoever made it. */
interface Socket {
  send(text: string): void
  close(): void
  addEventListener(event: 'message' | 'close' | 'error', listener: (event: any) => void): void
}

export class Conversation {
  readonly #socket: Socket
  readonly #waiting: Array<() => void> = []
  readonly events: Array<{ type: string; [field: string]: unknown }> = []
  /** All that was ever received, as text. */
  history = ''
  ended?: { code: number; reason: string }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      this.events.push(JSON.parse(data))
      this.history += data
      this.#wake()
    })
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', ({ code, reason }) => {
      this.ended = { code, reason }
      this.#wake()
    })
  }

  /** Waits for an event, or for the end. */
  async until(type: string): Promise<void> {
    const before = this.events.filter((event) => event.type === type).length
    const has = () => this.events.filter((event) => event.type === type).length > 0
    while (!this.ended && !has() && before === 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Says something, and returns what is answered. */
  async say(text: string): Promise<string> {
    this.events.length = 0
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    this.#socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
    this.#socket.send(
      JSON.stringify({ type: 'response.create', response: { output_modalities: ['text'] } }),
    )
    await this.until('response.done')
    return this.events
      .filter(({ type }) => type.endsWith('text.delta'))
      .map(({ delta }) => delta)
      .join('')
  }

  /** Closes the socket, and waits until the other side has, too. */
  async close(): Promise<void> {
    this.#socket.close()
    while (!this.ended) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
