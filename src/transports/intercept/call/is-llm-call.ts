import { dialectOf } from '../../../providers/dialects.ts'
import type { WireRequest } from '../../../wire/message.ts'
import type { LlmCall } from '../../answer.ts'

/** Whether a request is an LLM call, now that its body is read: an application can have a provider's path of its own. */
export function isLlmCall(judged: LlmCall, wire: WireRequest): boolean {
  if (judged !== 'likely') return judged === 'certain'
  // Gateways are not strict about the method; dialects are.
  return dialectOf({ ...wire, method: 'POST' }).name !== 'generic'
}
