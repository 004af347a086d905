import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { LlmCall } from '../call/llm-call.ts'
import type { Stamp } from '../context/stamp.ts'

/** A request with what its address and its origin say of it. */
export interface JudgedCall {
  url: URL
  judged: LlmCall
  /** What holds where it was made. */
  config: ResolvedConfig
  stamp: Stamp
}
