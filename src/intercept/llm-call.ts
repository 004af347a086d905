import { isProviderPath } from '../dialects/index.ts'
import { providerOf } from '../dialects/providers.ts'

/**
 * How sure one can be that a request is an LLM call before its body is read:
 * `certain` on a provider's host or a host of the option, `likely` on a provider's path anywhere else.
 */
export type LlmCall = 'certain' | 'likely' | 'no'

/** Judges a request by its address. */
export function judgeAddress(method: string, url: URL, hosts: readonly string[]): LlmCall {
  if (providerOf(url) !== undefined || hosts.some((pattern) => matchesHost(url, pattern))) {
    return 'certain'
  }
  return isProviderPath(method, url) ? 'likely' : 'no'
}

/** `llm.example.com` and `*.example.com` match a host on every port, `localhost:8080` on one. */
function matchesHost(url: URL, pattern: string): boolean {
  const host = pattern.includes(':') ? url.host : url.hostname
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
