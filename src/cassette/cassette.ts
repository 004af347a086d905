import type { ParamValues } from '../config/check-params.ts'
import type { Invalidation } from '../config/option-values.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'

/** The recording of one test: a conversation history. */
export interface Cassette {
  /** `<test file> > <suite> > <test>`: for people; no path is ever derived from it. */
  conversationId: string
  /** ISO 8601; when the recording last changed. */
  timestamp: string
  /** The parameters that the exchanges write as `{{name}}`, each with its value of the recording as an example. */
  params?: ParamValues
  /** Further parameters that a model proposed; they have no effect. */
  proposedParams?: ParamValues
  /** ISO 8601; when its oldest answer was recorded, where that is before it last changed. */
  oldestAnswer?: string
  /** Marks the recording as invalid. The next real recording replaces it and drops the mark. */
  invalid?: Invalidation
  exchanges: Exchange[]
}

/** The name of a group of exchanges, such as those of a judge. No recording knows it, so it stays as it is. */
type ExchangePart = string

/** The number of the repeat of the test that asked, from 2 on; the first has none. */
type ExchangeSample = number

/** One prompt and its response. */
export type Exchange = RecordedExchange | WrittenExchange

/** A recorded exchange. `prompt` and `response` are for people; a replay uses `wire`. */
export interface RecordedExchange {
  /** `exchange-1`, `exchange-2`, … in the order in which their responses ended. */
  id: string
  sample?: ExchangeSample
  part?: ExchangePart
  /** The hash is for people and for `verify`; matching recomputes it. */
  prompt: PromptSummary & { hash: string }
  response: ResponseSummary & {
    /** The answer belongs to an earlier prompt, and was kept when the prompt changed. */
    kept?: true
    /** A mock of the application gave the answer, in the place of the provider. */
    mocked?: true
  }
  wire: { request: WireRequest; response: WireResponse }
  /** Set for what this run recorded; not stored. */
  span?: TimeSpan
}

/** When a request was created and when its response ended, in numbers of one counter. */
export interface TimeSpan {
  created: number
  ended: number
}

/** An exchange that a person wrote. A replay writes its `response` in the format that the request asks for. */
export interface WrittenExchange {
  id: string
  sample?: ExchangeSample
  part?: ExchangePart
  /** Without `wire`, the prompt decides which request matches: by its hash if it has one, else by its text. */
  prompt: PromptSummary
  response: WrittenResponse
  /** The recorded request of an exchange whose recorded answer was replaced. It then decides which request matches. */
  wire?: { request: WireRequest; response?: undefined }
}

/** The exchanges of one sample of a test. Most cassettes have one sample. */
export function sampleIn({ exchanges }: Cassette, number: number): Exchange[] {
  return exchanges.filter(({ sample = 1 }) => sample === number)
}

/** Sorts exchanges, or what becomes one, by their samples. */
export function bySample<One extends { sample?: number | undefined }>(list: readonly One[]): One[] {
  return list.toSorted(({ sample: one = 1 }, { sample: other = 1 }) => one - other)
}

/** True for an exchange with a recorded answer. */
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
  /** The HTTP status of an error; 400 if absent. */
  status?: number
}

export interface ToolCallSummary {
  tool_name: string
  parameters: JsonValue
  /** The result that the application sent back in a later exchange. */
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
