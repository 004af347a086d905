import { isProviderPath } from '../../dialects/kit/provider-paths.ts'
import { providerOf } from '../../dialects/kit/providers.ts'
import { remember, rememberFor } from '../../remember.ts'
import { matchesHost } from '../../config/host-pattern.ts'
import { serverAt } from '../../config/server-name.ts'
import { sideRequestOf } from './side-request.ts'

/**
 * Whether a request is an LLM call, judged before its body is read: `certain` on the host of a provider or of the
 * option, `likely` on the path of a provider on any other host, `beside` on another path of a host that answered an
 * LLM call of the same test, `mcp` at an MCP server that the options name.
 */
export type LlmCall = 'certain' | 'likely' | 'beside' | 'mcp' | 'no'

/** The hosts and servers that the options add to the known ones, and the hosts that they take away. */
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

/**
 * As {@link judgeAddress}, from the text of an address. Remembers the verdict, since clients repeat their addresses. A
 * text that is no address gets `no`.
 */
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

/** True for the address of a WebSocket that holds a conversation with a model. */
export function isLlmSocket(url: URL, options: HostOptions): boolean {
  if (judgeAddress('GET', url, options) === 'certain') return true
  return SOCKET_PATH.test(url.pathname) && !matchesHost(url, options.allowHosts)
}

const TWO_WAY = /\/invoke-with-bidirectional-stream(?=$|[?#])/

/** True for operations whose response begins before the request has ended: neither is ever complete. */
export function isTwoWay(address: string): boolean {
  return TWO_WAY.test(address)
}
