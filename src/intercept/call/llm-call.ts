import { isProviderPath } from '../../dialects/kit/provider-paths.ts'
import { providerOf } from '../../dialects/kit/providers.ts'
import { remember, rememberFor } from '../../remember.ts'
import { matchesHost } from '../../config/host-pattern.ts'
import { serverAt } from '../../config/server-name.ts'
import { sideRequestOf } from './side-request.ts'

/**
 * How sure one can be that a request is an LLM call before its body is read:
 * `certain` on a provider's host or a host of the option, `likely` on a provider's path anywhere else, `beside` on
 * any other path of a host that answered an LLM call of the same test, `mcp` at an MCP server that the options name.
 */
export type LlmCall = 'certain' | 'likely' | 'beside' | 'mcp' | 'no'

/** Which hosts and servers the options add to the known ones, and which hosts they take away. */
export interface HostOptions {
  hosts: readonly string[]
  allowHosts: readonly string[]
  mcp?: readonly string[]
}

/** Judges a request by its address. */
export function judgeAddress(
  method: string,
  url: URL,
  { hosts, allowHosts, mcp = [] }: HostOptions,
): LlmCall {
  if (matchesHost(url, allowHosts) || sideRequestOf(url)) return 'no'
  if (providerOf(url) !== undefined || matchesHost(url, hosts)) return 'certain'
  if (isProviderPath(method, url)) return 'likely'
  return mcp.length > 0 && serverAt(url, mcp) !== undefined ? 'mcp' : 'no'
}

/** The same of an address as it is written: a client asks at one again and again. What is no address is no call. */
export function judgeUrl(method: string, url: string, options: HostOptions): LlmCall {
  return judgeUnder(options)(method)(url)
}

const judgeUnder = rememberFor((options: HostOptions) =>
  remember((method) =>
    remember((url) => (URL.canParse(url) ? judgeAddress(method, new URL(url), options) : 'no')),
  ),
)

/** Paths on which providers hold conversations over a socket. */
const SOCKET_PATH =
  /\/v1\/(?:realtime|responses)$|\/ws\/google\.ai\.generativelanguage\.\w+\.GenerativeService\.BidiGenerateContent/

/** True for the address of a socket on which a model is talked to. */
export function isLlmSocket(url: URL, options: HostOptions): boolean {
  if (judgeAddress('GET', url, options) === 'certain') return true
  return SOCKET_PATH.test(url.pathname) && !matchesHost(url, options.allowHosts)
}

const TWO_WAY = /\/invoke-with-bidirectional-stream(?=$|[?#])/

/** True for operations whose answer begins before the question has ended, so that none is ever whole. */
export function isTwoWay(address: string): boolean {
  return TWO_WAY.test(address)
}
