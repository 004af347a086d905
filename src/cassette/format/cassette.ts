import type { ParamValues } from '../../config/check-params.ts'
import type { Invalidation } from '../../config/why-invalid.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'

/** What one test recorded: a conversation history. */
export interface Cassette {
  /** `<test file> > <suite> > <test>`: for people; no path is ever derived from it. */
  conversationId: string
  /** ISO 8601; when the recording last changed. */
  timestamp: string
  /** What says `{{name}}` in the exchanges, with the value of the recording as an example. */
  params?: ParamValues
  /** What a model proposed as further parameters; it has no effect. */
  proposedParams?: ParamValues
  /** ISO 8601; when its oldest answer was recorded, where that is before it last changed. */
  oldestAnswer?: string
  /** Somebody called the recording invalid; the next real one takes its place, and this goes. */
  invalid?: Invalidation
  exchanges: Exchange[]
}

/** One prompt and its response. */
export type Exchange = RecordedExchange | WrittenExchange

/** An exchange as it travelled. `prompt` and `response` are for people, `wire` is what is replayed. */
export interface RecordedExchange {
  /** `exchange-1`, `exchange-2`, … in the order asked. */
  id: string
  /** The hash is for people and for `verify`; matching recomputes it. */
  prompt: PromptSummary & { hash: string }
  response: ResponseSummary & {
    /** The answer was given to another prompt, and kept when that changed. */
    kept?: true
  }
  wire: { request: WireRequest; response: WireResponse }
}

/** An exchange that a person wrote: its `response` is what is replayed, in whatever format is asked for. */
export interface WrittenExchange {
  id: string
  /** Without `wire`, what decides whether a request is meant: the hash where there is one, or else the text. */
  prompt: PromptSummary
  response: WrittenResponse
  /** A request that travelled, and whose recorded answer was replaced: it decides then. */
  wire?: { request: WireRequest; response?: undefined }
}

/** True for an exchange whose answer travelled. */
export function isRecorded(exchange: Exchange): exchange is RecordedExchange {
  return exchange.wire?.response !== undefined
}

export interface PromptSummary {
  /** The messages that are new in this exchange. */
  text: string
  hash?: string
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

export interface WrittenResponse extends ResponseSummary {
  /** The status with which an error is answered; 400 where it is absent. */
  status?: number
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
