import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'

/**
 * One wire format, such as OpenAI's chat completions; many providers speak one dialect. A dialect
 * reads for people, diffs and statistics, and writes answers that a person wrote by hand. It never
 * decides whether two requests are the same.
 */
export interface Dialect {
  readonly name: string
  /** Whether a request is in this format, judged by its path and the shape of its body. */
  claims(request: WireRequest): boolean
  /** Reads the prompt. Never throws: unknown fields are kept as they were sent. */
  readPrompt(request: WireRequest): Prompt
  /** Reads the answer, plain or streamed, whole or cut. Never throws. */
  readCompletion(response: WireResponse): Completion
  /**
   * Writes an answer in this format, streamed or plain as the request asks. It reads back as the same completion.
   * Absent for a format that cannot be written.
   */
  writeCompletion?(completion: Completion, request: WireRequest): WireResponse
}
