import { isAnswering, type McpMessage } from '../../../wire/mcp-messages.ts'

/** The messages of a server that answer one request over HTTP, as they arrive. */
export class AnswerMessages {
  readonly #first = Promise.withResolvers<void>()
  readonly #waiting: McpMessage[] = []
  #stream?: ReadableStreamDefaultController<Uint8Array>
  #hasEnded = false

  /** Settles at the first message. */
  get first(): Promise<void> {
    return this.#first.promise
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(message: McpMessage): void {
    if (this.#hasEnded) return
    if (this.#stream) this.#stream.enqueue(eventOf(message))
    else this.#waiting.push(message)
    this.#first.resolve()
  }

  end(): void {
    if (!this.#hasEnded) this.#stream?.close()
    this.#hasEnded = true
  }

  /**
   * The HTTP response: one message, or a stream of them.
   *
   * @param isOne whether only one answer is expected
   */
  respond(isOne: boolean, headers: Headers): Response {
    const [first] = this.#waiting
    if (isOne && this.#hasEnded && first && isAnswering(first) && this.#waiting.length === 1)
      return Response.json(first, { headers })
    headers.set('content-type', 'text/event-stream')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const message of this.#waiting.splice(0)) controller.enqueue(eventOf(message))
        if (this.#hasEnded) controller.close()
        else this.#stream = controller
      },
      cancel: () => {
        this.#stream = undefined
        this.#hasEnded = true
      },
    })
    return new Response(body, { headers })
  }
}

const encoder = new TextEncoder()

function eventOf(message: McpMessage): Uint8Array {
  return encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}
