import type { JsonValue } from '../json/json-value.ts'

/** The whole answer of a model, whatever the wire format and whether it was streamed or not. */
export interface Completion {
  /** The visible text, reassembled from the stream where there was one. */
  text: string
  reasoning?: string
  toolCalls: ToolCall[]
  /** The provider's own words: `stop`, `end_turn`, `tool_calls`, `length`, … */
  finishReasons: string[]
  usage?: Usage
  /** True when the answer stops before its end: a cut stream, JSON that does not parse. */
  incomplete?: boolean
  /** The provider's message when it answered with an error. */
  error?: string
}

export interface ToolCall {
  id?: string
  name: string
  arguments: JsonValue
}

/** Tokens. `inputTokens` includes the cached ones, as OpenTelemetry asks. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  cacheReadInputTokens?: number
  cacheCreationInputTokens?: number
  reasoningOutputTokens?: number
}
