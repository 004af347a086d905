import type { Completion } from '../prompt/completion.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
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
  /** The places of its responses with a role of their own; absent where everything counts as it is. */
  readonly places?: readonly ResponsePlace[]
  /** The finish reason of an answer that was too long. */
  readonly tooLong?: string
  /** The field of an answer with the choices of which a request can ask several; absent where there is only one. */
  readonly choices?: 'choices' | 'candidates'
  /** Writes a prompt that came in another format; absent where no prompt is handed to this one. */
  writePrompt?(prompt: PlainPrompt): JsonObject
}

/** A prompt in what every format has. For all else the model uses its defaults. */
export interface PlainPrompt extends Pick<Prompt, 'model' | 'messages' | 'tools'> {
  parameters: {
    temperature?: JsonValue
    topP?: JsonValue
    maxTokens?: JsonValue
    stop?: JsonValue[]
    /** The tool that the model has to call. */
    choice?: 'auto' | 'none' | 'any' | { name: string }
  }
  /** The schema of the answer. */
  schema?: JsonObject | undefined
  /** The base64 of its files, all of them pictures, by their hashes. */
  pictures: ReadonlyMap<string, string>
}

/**
 * A place of a response, by the keys that lead to it from the body or from an event; `*` is any key or position. Of what
 * stands there, two responses that say the same may differ in:
 * - `renewed`: a name of something, which is sent back by the application. Which of these are equal still counts.
 * - `renewed-in-pieces`: as `renewed`, and a stream may bring it in pieces.
 * - `ignored`: a date, duration, fingerprint, or padding. It does not count.
 * - `usage`: what the prompt took, in tokens or money. It does not count, and belongs to one prompt and its response: it is
 *   the new one as soon as one of the two changed.
 * - `running-total`: a count that each event repeats, so only the last one of a stream counts.
 * - `repeats-request`: a part of the request, which changes with it.
 *
 * `one-value` counts, as one value: a stream brings all of it at once, and may bring two of them at one place.
 */
export type ResponsePlace = readonly [path: string, role: ResponseRole]

export type ResponseRole =
  | 'renewed'
  | 'renewed-in-pieces'
  | 'ignored'
  | 'usage'
  | 'running-total'
  | 'repeats-request'
  | 'one-value'
