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
  /** The places of an answer that a provider writes anew each time; absent where everything counts. */
  readonly renewed?: RenewedPlaces
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
 * The kind of a value that may differ between two answers that say the same:
 * - `id`: names something, and is sent back by the application. Which ids are equal still counts.
 * - `sealed`: as `id`, and a stream may bring it in pieces.
 * - `figure`: a date, duration, fingerprint, or padding. It does not count.
 * - `usage`: what the prompt took, in tokens or money. It does not count, and belongs to one prompt and its answer: it is
 *   the new one as soon as one of the two changed.
 * - `last`: a running total of a stream, of which the last one counts.
 * - `echo`: repeats a part of the request, and changes with it.
 * - `whole`: counts, as one value: a stream brings all of it at once, and may bring two of them at one place.
 */
export type Renewed = 'id' | 'sealed' | 'figure' | 'usage' | 'last' | 'echo' | 'whole'

/** Places in the body or in the events of an answer; `*` is any key or position. */
export type RenewedPlaces = Partial<Record<Renewed, readonly string[]>>
