import { asksAt } from '../attempt/asked-hosts.ts'
import { matchesHost, serverAt } from '../config/hosts.ts'
import { sendsNothing } from '../config/mode.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { isProviderPath } from '../providers/provider-paths.ts'
import { providerOf } from '../providers/providers.ts'
import { remember, rememberFor } from '../remember.ts'
import type { Answered } from './intercept/answer/answer-llm-call.ts'
import { answerPreflight, meantMethod } from './intercept/call/preflight.ts'
import { asksForProvider, sideRequestOf, type SideRequest } from './intercept/call/side-request.ts'
import { isOwnGateway, OTHER_GATEWAY } from './intercept/context/own-servers.ts'
import { closed, type RequestContext } from './intercept/context/request-context.ts'
import type { PlainRequest } from './intercept/http/fetch-interceptor.ts'
import type { Layers } from './layers.ts'
import { noteOther } from './reports.ts'
import { asksModelAt, configOf, isLedTo, type Scope } from './scope.ts'

/**
 * Answers a request of any entrance. `undefined` lets it pass untouched, and loads nothing.
 *
 * @param ofFile the configuration for requests outside of tests
 * @param beyond runs what does more than compare values
 */
export function answer(
  request: Request | PlainRequest,
  context: RequestContext,
  ofFile: ResolvedConfig,
  layers: Layers,
  beyond: (run: () => Answered) => Answered = (run) => run(),
): Answered {
  if (context.answer) return context.answer
  const config = configOf(context.scope, ofFile)
  if (config.mode === 'off') return undefined
  const judge = context.isAtModel ? judgeAtModel : judgeInScope
  const judged = context.judged ?? judge(meantMethod(request), request.url, context.scope, config)
  if (judged === 'no') {
    const url = new URL(request.url)
    const kind = sendsNothing(config.mode) ? sideRequestIn(url, config) : undefined
    if (kind) return layers.beside().answerSideRequest(kind, url)
    return closed.answer?.(request, context, config, layers.engine)
  }
  if (context.scope === 'upstream') return undefined
  const preflight = answerPreflight(request)
  if (preflight) return preflight
  if (judged === 'mcp') return beyond(() => layers.mcp().answerMcp(request, config, context))
  return (
    layers.verbatim().replayVerbatim(request, judged, context) ??
    beyond(() => layers.replay().answerLlmCall(request, { judged, config, context }, layers.engine))
  )
}

/** The kind of a side request of LLM libraries, such as telemetry; `undefined` for all others, and for allowed hosts. */
export function sideRequestIn(
  url: URL,
  { allowHosts }: Pick<HostOptions, 'allowHosts'>,
): SideRequest | undefined {
  return matchesHost(url, allowHosts) ? undefined : sideRequestOf(url)
}

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
  if (asksForProvider(url)) return 'certain'
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

const TWO_WAY = /\/invoke-with-bidirectional-stream(?=$|[?#])/

/** True for operations whose response begins before the request has ended: neither is ever complete. */
export function isTwoWay(address: string): boolean {
  return TWO_WAY.test(address)
}

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
  if (judged === 'likely' && OTHER_GATEWAY.test(url)) return 'no'
  if (judged === 'certain' || judged === 'mcp') return judged
  if (judged === 'no' && options.mcp?.length) noteIfServer(method, url)
  const isLed = isLedTo(url, scope)
  if (!isLed && (judged !== 'no' || !asksModelAt(method, url, scope, asksAt))) return judged
  const address = new URL(url)
  if (matchesHost(address, options.allowHosts)) return 'no'
  if (isLed) return 'certain'
  return sideRequestOf(address) ? 'no' : 'beside'
}

/** Judges a request to an address that `baseUrl()` gave out in the place of a model's. Host and path do not matter. */
function judgeAtModel(
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
