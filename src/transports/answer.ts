import { asksAt, isHeld } from '../attempt/asked-hosts.ts'
import { matchesHost } from '../config/hosts.ts'
import { sendsNothing } from '../config/mode.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Answered } from './intercept/answer/answer-llm-call.ts'
import { answerPreflight, meantMethod } from './intercept/call/preflight.ts'
import {
  type HostOptions,
  isLlmSocket,
  judgeAddress,
  judgeUrl,
  type LlmCall,
  sideRequestIn,
} from './intercept/call/judge-address.ts'
import { sideRequestOf } from './intercept/call/side-request.ts'
import { isOwnGateway, isOwnServer, OTHER_GATEWAY } from './intercept/context/own-servers.ts'
import { closed, type RequestContext } from './intercept/context/request-context.ts'
import type { PlainRequest } from './intercept/http/plain-request.ts'
import type { Layers } from './layers.ts'
import { noteOther } from './reports.ts'
import { configOf, isTrueOf, type Scope } from './scope.ts'

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
  const byAddress =
    context.judged ?? judgeInScope(meantMethod(request), request.url, context.scope, config)
  const judged = byAddress === 'no' ? judgeByName(request, config) : byAddress
  if (judged === 'no') {
    const url = new URL(request.url)
    const kind = sendsNothing(config.mode) ? sideRequestIn(url, config) : undefined
    if (kind) return layers.beside().answerSideRequest(kind, url)
    return closed.answer?.(request, context, config)
  }
  if (context.scope === 'upstream') return undefined
  const preflight = answerPreflight(request)
  if (preflight) return preflight
  if (judged === 'mcp') return beyond(() => layers.mcp().answerMcp(request, config, context))
  return beyond(() =>
    layers.replay().answerLlmCall(request, { judged, config, context }, layers.engine),
  )
}

/** Judges a request by the host that it names: a connection to any address can lead to a provider. */
function judgeByName({ url, headers }: Request | PlainRequest, options: HostOptions): LlmCall {
  const host = headers.get('host')
  if (!host || url.split('/', 3)[2] === host) return 'no'
  const { protocol, pathname } = new URL(url)
  const named = URL.parse(`${protocol}//${host}${pathname}`)
  const isProvider = named !== null && judgeAddress('GET', named, options) === 'certain'
  if (!isProvider || matchesHost(new URL(url), options.allowHosts)) return 'no'
  return isOwnGateway(url) || isOwnServer(url, options.hosts) ? 'no' : 'certain'
}

const TWO_WAY = /\/invoke-with-bidirectional-stream(?=$|[?#])/

/** True for operations whose response begins before the request has ended: neither is ever complete. */
export function isTwoWay(address: string): boolean {
  return TWO_WAY.test(address)
}

/**
 * Judges a request by its address and its scope. The target of an answer of the same test is a part of that call, on
 * whatever host. Other requests to the host of a model belong to the conversation. Hosts of the option `allowHosts`
 * always pass, and so do the addresses of {@link isOwnGateway} and {@link isOwnServer}.
 */
export function judgeInScope(
  method: string,
  url: string,
  scope: Scope | undefined,
  options: HostOptions,
): LlmCall {
  if (isOwnGateway(url)) return 'no'
  const judged = judgeUrl(method, url, options)
  if (judged === 'mcp') return judged
  if (judged === 'likely' && OTHER_GATEWAY.test(url)) return 'no'
  if (judged === 'no' && options.mcp?.length) noteIfServer(method, url)
  const isLed = judged !== 'certain' && isTrueOf(scope, (attempt) => attempt.leadsTo(url))
  if (isLed && matchesHost(new URL(url), options.allowHosts)) return 'no'
  const found = isLed ? 'certain' : judged
  const call = found === 'no' ? judgeByAttempts(method, url, scope, options) : found
  return call === 'no' || isOwnServer(url, options.hosts) ? 'no' : call
}

/** Judges a request whose address is no model's by what the attempts of its scope have recorded and asked. */
function judgeByAttempts(
  method: string,
  url: string,
  scope: Scope | undefined,
  { allowHosts }: HostOptions,
): LlmCall {
  const address = URL.parse(url)
  // A connection asks for nothing yet, and to read a cassette takes long.
  if (!address || method === 'CONNECT') return 'no'
  if (matchesHost(address, allowHosts) || sideRequestOf(address)) return 'no'
  if (isTrueOf(scope, (attempt) => isHeld(attempt, url))) return 'certain'
  return isTrueOf(scope, (attempt) => asksAt(attempt, method, url)) ? 'beside' : 'no'
}

/** True for a WebSocket to a model, by its address or by its scope. */
export function isLlmSocketInScope(
  url: URL,
  scope: Scope | undefined,
  config: ResolvedConfig,
): boolean {
  if (config.mode === 'off' || isOwnGateway(url.href)) return false
  if (isLlmSocket(url, config)) return !isOwnServer(url.href, config.hosts)
  return judgeInScope('GET', url.href, scope, config) === 'certain'
}

/** Whether a request passes although its cassette has it: an option lets it, or a server of this run is meant. */
export function isOwn(url: string, { allowHosts, hosts }: HostOptions): boolean {
  const address = URL.parse(url)
  return (
    !address || matchesHost(address, allowHosts) || isOwnGateway(url) || isOwnServer(url, hosts)
  )
}

/** The usual path of an MCP server. */
const SERVER_PATH = /\/mcp\/?$/

/** Notes a server that no name of the option covers. It stays real, and the end of the run may name it. */
function noteIfServer(method: string, url: string): void {
  const address = method === 'POST' ? URL.parse(url) : null
  if (address && SERVER_PATH.test(address.pathname)) noteOther(address.origin + address.pathname)
}
