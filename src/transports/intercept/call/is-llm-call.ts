// Built as a file of its own too, which a guard loads at the first request that may be an LLM call: most children send none.
import { dialectOf } from '../../../providers/dialects.ts'
import type { WireRequest } from '../../../wire/message.ts'
import type { LlmCall } from '../../answer.ts'
import type { WholeRequest } from './whole-request.ts'
import { wireRequest } from '../../../secrets/wire-request.ts'

/** Whether a request is an LLM call, now that its body is read: an application can have a provider's path of its own. */
export function isLlmCall(judged: LlmCall, wire: WireRequest): boolean {
  if (judged !== 'likely') return judged === 'certain'
  // Gateways are not strict about the method; dialects are.
  return dialectOf({ ...wire, method: 'POST' }).name !== 'generic'
}

/** Whether a request to a host of unknown kind is an LLM call, by its path and body. */
export function isCallByBody(request: WholeRequest): boolean {
  return isLlmCall('likely', wireRequest(request))
}
