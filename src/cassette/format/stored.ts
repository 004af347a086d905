import type { ParamValues } from '../../config/check-params.ts'
import type { Invalidation } from '../../config/option-values.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Imported } from '../../wire/imported.ts'
import type { Aborted } from '../../wire/message.ts'
import type { ToolCallSummary, UsageSummary } from '../cassette.ts'
import type { StoredBody } from './bodies.ts'
import type { Texts } from './references.ts'

/** A cassette file: docs/format.md. Its members are in the order in which they are written. */
export interface StoredCassette {
  $schema?: string
  version: string
  conversation_id: string
  params?: ParamValues
  proposed_params?: ParamValues
  invalid?: Invalidation
  exchanges: StoredExchange[]
  timestamp: string
  oldest_answer?: string
  rules?: Array<number | string>
  hashes?: string[]
  seal?: string
}

/** An exchange of a file. */
export interface StoredExchange {
  id?: string
  sample?: number
  part?: string
  prompt: { text: Texts; metadata?: JsonObject; hash?: string }
  request?: StoredRequest
  response: StoredResponse
}

export interface StoredRequest extends StoredBody {
  method: string
  url: JsonValue
  headers?: Record<string, string>
  after?: string
  imported?: Imported
}

/** A tool call; a person may write its name alone. */
export type StoredCall = Omit<ToolCallSummary, 'parameters'> & Partial<ToolCallSummary>

export interface StoredResponse {
  text?: Texts
  reasoning?: Texts
  tool_calls?: StoredCall[]
  finish_reasons?: string[]
  usage?: UsageSummary
  error?: string
  status?: number
  incomplete?: boolean
  kept?: true
  mocked?: true
  duration_ms?: number
  sent?: StoredSent
}

export interface StoredSent extends StoredBody {
  status: number
  headers: Record<string, string | string[]>
  renewed?: JsonValue[]
  cut?: true
  aborted?: Aborted
}
