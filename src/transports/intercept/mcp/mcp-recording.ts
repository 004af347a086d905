import type { RecordAnswer } from '../../../engine/session-contract.ts'
import { realNow } from '../../../real/clock.ts'
import type { Redactor } from '../../../secrets/redactor.ts'
import { mcpContent, isAsking, mcpAnswer, type McpMessage } from '../../../wire/mcp-messages.ts'
import type { WireResponse } from '../../../wire/message.ts'

/** The answer of a server in a recording: all its messages since the request. */
export class McpRecording {
  readonly #answer: RecordAnswer
  readonly #redactor: Redactor
  readonly #messages: McpMessage[] = []
  readonly #started = realNow()
  readonly #kept = Promise.withResolvers<void>()
  #asked = 0
  #hasEnded = false

  constructor(answer: RecordAnswer, redactor: Redactor) {
    this.#answer = answer
    this.#redactor = redactor
    answer.done(this.#kept.promise)
  }

  /** Adds a message that the server sends in addition to its answer, also a later one. */
  add(message: McpMessage): void {
    const content = mcpContent(message)
    // Ids count the requests to the client in order.
    this.#messages.push(isAsking(message) ? { ...content, id: ++this.#asked } : content)
    if (this.#hasEnded) this.#write()
  }

  /** Keeps the answer of the server. */
  async finish(answer: McpMessage): Promise<void> {
    this.#messages.push(mcpContent(answer))
    this.#write()
    await this.#storeAnswer()
  }

  /** Keeps an answer of the server that is no message. */
  async finishWith(response: WireResponse): Promise<void> {
    this.#answer.recording.response = this.#redactor.response(response)
    await this.#storeAnswer()
  }

  /** Keeps a message that needs no answer. */
  keepWithoutAnswer(): void {
    void this.finishWith({ status: 202, headers: {}, body: { kind: 'empty' } })
  }

  /** Keeps that the client gave up. Replay then gives no answer either. */
  giveUp(): void {
    if (this.#hasEnded) return
    const nothing = { status: 499, headers: {}, body: { kind: 'empty' } } as const
    void this.finishWith({ ...nothing, aborted: 'before-headers' })
  }

  /** Keeps the error, since the request got no answer. */
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

  async #storeAnswer(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { recording } = this.#answer
    recording.durationMs = Math.round(realNow() - this.#started)
    this.#kept.resolve(recording.keep())
    await this.#kept.promise.catch(() => {})
  }
}
