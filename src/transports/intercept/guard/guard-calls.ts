// Loaded by a guard at the first request that may be an LLM call; a file of its own, since most children send none.
import { isLlmCall } from '../call/is-llm-call.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../call/wire-request.ts'

/** Whether a request to a host of unknown kind is an LLM call, by its path and body. */
export function isCallByBody(request: WholeRequest): boolean {
  return isLlmCall('likely', wireRequest(request))
}
