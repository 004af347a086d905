import { dialectOf } from '../dialects/index.ts'
import type { WireRequest } from '../wire/message.ts'
import type { LlmCall } from './llm-call.ts'

/** Whether a request is an LLM call, now that its body is read: an application can have a provider's path of its own. */
export function isLlmCall(judged: LlmCall, wire: WireRequest): boolean {
  return judged === 'certain' || (judged === 'likely' && dialectOf(wire).name !== 'generic')
}
