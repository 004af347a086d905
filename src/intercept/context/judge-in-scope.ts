import { matchesHost } from '../../config/host-pattern.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isLlmSocket, judgeUrl, type HostOptions, type LlmCall } from '../call/llm-call.ts'
import { sideRequestOf } from '../call/side-request.ts'
import { isOwnGateway } from './own-servers.ts'
import { noteOther } from './seen-servers.ts'
import { asksModelAt, isLedTo, type Scope } from './scope.ts'

/**
 * Judges a request by its address and its scope. The target of an answer of the same test is a part of that call, on
 * whatever host. Other requests to the host of a model belong to the conversation. Hosts of the option `allowHosts`
 * always pass, and so do the addresses of {@link isOwnGateway}.
 */
export function judgeInScope(
  method: string,
  url: string,
  scope: Scope | undefined,
  options: HostOptions,
): LlmCall {
  if (isOwnGateway(url)) return 'no'
  const judged = judgeUrl(method, url, options)
  if (judged === 'certain' || judged === 'mcp') return judged
  if (judged === 'no' && options.mcp?.length) noteIfServer(method, url)
  const isLed = isLedTo(url, scope)
  if (!isLed && (judged !== 'no' || !asksModelAt(method, url, scope))) return judged
  const address = new URL(url)
  if (matchesHost(address, options.allowHosts)) return 'no'
  if (isLed) return 'certain'
  return sideRequestOf(address) ? 'no' : 'beside'
}

/** Judges a request to an address that `baseUrl()` gave out in the place of a model's. Host and path do not matter. */
export function judgeAtModel(
  method: string,
  url: string,
  scope: Scope | undefined,
  options: HostOptions,
): LlmCall {
  const address = new URL(url)
  const isOther =
    matchesHost(address, options.allowHosts) ||
    sideRequestOf(address) !== undefined ||
    judgeUrl(method, url, options) === 'mcp'
  return isOther ? judgeInScope(method, url, scope, options) : 'certain'
}

/** True for a WebSocket to a model, by its address or by its scope. */
export function isLlmSocketInScope(
  url: URL,
  scope: Scope | undefined,
  config: ResolvedConfig,
): boolean {
  if (config.mode === 'off' || isOwnGateway(url.href)) return false
  return judgeInScope('GET', url.href, scope, config) === 'certain' || isLlmSocket(url, config)
}

/** The usual path of an MCP server. */
const SERVER_PATH = /\/mcp\/?$/

/** Notes a server that no name of the option covers. It stays real, and the end of the run may name it. */
function noteIfServer(method: string, url: string): void {
  const address = method === 'POST' ? URL.parse(url) : null
  if (address && SERVER_PATH.test(address.pathname)) noteOther(address.origin + address.pathname)
}
