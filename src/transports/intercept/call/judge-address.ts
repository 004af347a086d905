import { matchesHost, serverAt } from '../../../config/hosts.ts'
import { comparedAddress } from '../../../engine/gateways.ts'
import { isProviderPath } from '../../../providers/provider-paths.ts'
import { providerOf } from '../../../providers/providers.ts'
import { remember, rememberFor } from '../../../remember.ts'
import { asksForProvider, sideRequestOf, type SideRequest } from './side-request.ts'

/** The kind of a side request of LLM libraries, such as telemetry; `undefined` for all others, and for allowed hosts. */
export function sideRequestIn(
  url: URL,
  { allowHosts }: Pick<HostOptions, 'allowHosts'>,
): SideRequest | undefined {
  return matchesHost(url, allowHosts) ? undefined : sideRequestOf(url)
}

/**
 * Whether a request is an LLM call. Its address decides, and never its body: `certain` on the host of a provider or of
 * the option, and at an address that the cassette holds; `likely` on the path of a provider on any other host; `beside`
 * on another path of a host that answered an LLM call of the same test; `mcp` at an MCP server that the options name.
 */
export type LlmCall = 'certain' | 'likely' | 'beside' | 'mcp' | 'no'

/** The hosts and servers that the options add to the known ones, and the hosts that they take away. */
export interface HostOptions {
  hosts: readonly string[]
  allowHosts: readonly string[]
  mcp?: readonly string[]
  /** The other addresses in the cassette of a test, as {@link comparedAddress} returns them, for a process that cannot read it. */
  held?: readonly string[]
}

/** Judges a request by its address. */
export function judgeAddress(
  method: string,
  url: URL,
  { hosts, allowHosts, mcp = [], held = [] }: HostOptions,
): LlmCall {
  if (matchesHost(url, allowHosts) || sideRequestOf(url)) return 'no'
  if (providerOf(url) !== undefined || matchesHost(url, hosts)) return 'certain'
  if (asksForProvider(url)) return 'certain'
  if (held.length > 0 && held.includes(comparedAddress(url.href))) return 'certain'
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
    remember((url) => {
      const address = URL.parse(url)
      return address ? judgeAddress(method, address, options) : 'no'
    }),
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
