import type { ParamValues } from '../../config/check-params.ts'
import type { Invalidation } from '../../config/options.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Imported } from '../../wire/imported.ts'
import type { Aborted } from '../../wire/message.ts'
import type { ToolCallSummary, UsageSummary } from '../cassette.ts'
import type { FileBody } from './bodies.ts'
import type { Texts } from './sources.ts'

/** A cassette file: docs/format.md. Its members are in the order in which they are written. */
export interface StoredFile {
  $schema?: string
  version: string
  conversation_id: string
  params?: ParamValues
  proposed_params?: ParamValues
  invalid?: Invalidation
  exchanges: FileExchange[]
  timestamp: string
  oldest_answer?: string
  rules?: Array<number | string>
  hashes?: string[]
  seal?: string
}

/** An exchange of a file. */
export interface FileExchange {
  id?: string
  sample?: number
  part?: string
  prompt: { text: Texts; metadata?: JsonObject; hash?: string }
  request?: FileRequest
  response: FileResponse
}

export interface FileRequest extends FileBody {
  method: string
  url: JsonValue
  headers?: Record<string, string>
  after?: string
  imported?: Imported
}

export interface FileResponse {
  text?: Texts
  reasoning?: Texts
  tool_calls?: ToolCallSummary[]
  finish_reasons?: string[]
  usage?: UsageSummary
  error?: string
  status?: number
  incomplete?: boolean
  kept?: true
  mocked?: true
  duration_ms?: number
  sent?: SentResponse
}

export interface SentResponse extends FileBody {
  status: number
  headers: Record<string, string | string[]>
  renewed?: JsonValue[]
  cut?: true
  aborted?: Aborted
}
