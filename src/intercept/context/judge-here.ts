import { matchesHost } from '../../config/host-pattern.ts'
import { judgeUrl, type HostOptions, type LlmCall } from '../call/llm-call.ts'
import { isLedTo, type Scope } from './scope.ts'

/**
 * Judges a request by its address and by where it is made: what an answer of the same test leads to is a part of
 * that call, whatever its host. Hosts of the option `allowHosts` are none of our business even then.
 */
export function judgeHere(
  method: string,
  url: string,
  scope: Scope | undefined,
  options: HostOptions,
): LlmCall {
  const judged = judgeUrl(method, url, options)
  if (judged === 'certain' || !isLedTo(url, scope)) return judged
  return matchesHost(new URL(url), options.allowHosts) ? 'no' : 'certain'
}
