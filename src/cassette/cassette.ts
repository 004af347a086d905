import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'

/** What one test recorded: a conversation history. */
export interface Cassette {
  /** `<test file> > <suite> > <test>`: for people; no path is ever derived from it. */
  conversationId: string
  /** ISO 8601; when the recording last changed. */
  timestamp: string
  exchanges: Exchange[]
}

/** One prompt and its response. `prompt` and `response` are for people, `wire` is what is replayed. */
export interface Exchange {
  /** `exchange-1`, `exchange-2`, … in the order asked. */
  id: string
  prompt: PromptSummary
  response: ResponseSummary
  wire: { request: WireRequest; response: WireResponse }
}

export interface PromptSummary {
  /** The messages that are new in this exchange. */
  text: string
  /** For people and for `verify`; matching recomputes it. */
  hash: string
  /** Provider, operation, model and the parameters that are plain values. */
  metadata: JsonObject
}

export interface ResponseSummary {
  text: string
  reasoning?: string
  tool_calls?: ToolCallSummary[]
  finish_reasons?: string[]
  usage?: UsageSummary
  error?: string
  /** True when the answer stops before its end. */
  incomplete?: boolean
  /** Milliseconds from the request to the end of the answer, at the first recording of this answer. */
  duration_ms?: number
}

export interface ToolCallSummary {
  tool_name: string
  parameters: JsonValue
  /** What the application sent back for it in a later exchange. */
  result?: JsonValue
}

/** Tokens, under OpenTelemetry's names. */
export interface UsageSummary {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number
  cache_creation_input_tokens?: number
  reasoning_output_tokens?: number
}
