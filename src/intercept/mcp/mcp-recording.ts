import type { Answer } from '../../engine/answer.ts'
import type { Redactor } from '../../secrets/redactor.ts'
import { contentOf, isAsking, mcpAnswer, type McpMessage } from '../../wire/mcp.ts'
import type { WireResponse } from '../../wire/message.ts'

type RecordAnswer = Extract<Answer, { action: 'record' }>

/** The answer of a server while it is recorded: all that it says from the request on. */
export class McpRecording {
  readonly #answer: RecordAnswer
  readonly #redactor: Redactor
  readonly #messages: McpMessage[] = []
  readonly #started = performance.now()
  readonly #kept = Promise.withResolvers<void>()
  #asked = 0
  #hasEnded = false

  constructor(answer: RecordAnswer, redactor: Redactor) {
    this.#answer = answer
    this.#redactor = redactor
    answer.done(this.#kept.promise)
  }

  /** Adds what the server says beside its answer; what it says later belongs to it, too. */
  add(message: McpMessage): void {
    const content = contentOf(message)
    // In the order in which the client is asked.
    this.#messages.push(isAsking(message) ? { ...content, id: ++this.#asked } : content)
    if (this.#hasEnded) this.#write()
  }

  /** The server has answered. */
  async finish(answer: McpMessage): Promise<void> {
    this.#messages.push(contentOf(answer))
    this.#write()
    await this.#keep()
  }

  /** The server has answered with no message. */
  async finishWith(response: WireResponse): Promise<void> {
    this.#answer.recording.response = this.#redactor.response(response)
    await this.#keep()
  }

  /** There is nothing to answer: that it was said is all. */
  take(): void {
    void this.finishWith({ status: 202, headers: {}, body: { kind: 'empty' } })
  }

  /** The client waits no longer: in replay there is no answer either. */
  giveUp(): void {
    if (this.#hasEnded) return
    const nothing = { status: 499, headers: {}, body: { kind: 'empty' } } as const
    void this.finishWith({ ...nothing, aborted: 'before-headers' })
  }

  /** There is no answer. */
  fail(error: Error): void {
    if (this.#hasEnded) return
    this.#answer.recording.error = error
    this.#hasEnded = true
    this.#kept.resolve()
  }

  #write(): void {
    const { recording } = this.#answer
    recording.response = this.#redactor.response(mcpAnswer(this.#messages))
  }

  async #keep(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { recording } = this.#answer
    recording.durationMs = Math.round(performance.now() - this.#started)
    try {
      await recording.keep()
      this.#kept.resolve()
    } catch (error) {
      this.#kept.reject(error)
    }
  }
}
