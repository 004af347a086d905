// Loaded by the guard into the Node processes and threads of a test; a file of its own without msw.
import { web } from '../../real/web.ts'
import { requireFrom } from '../../real/load-later.ts'
import type { CassetteError } from '../../errors.ts'
import type { Layers } from '../layers.ts'
import type { PlainRequest } from '../intercept/http/plain-request.ts'
import {
  isLlmSocket,
  judgeUrl,
  sideRequestIn,
  type HostOptions,
  type LlmCall,
} from '../intercept/call/judge-address.ts'
import { meantMethod } from '../intercept/call/preflight.ts'
import { readWhole } from '../intercept/call/whole-request.ts'
import { refuse } from '../refuse.ts'
import { closeWhenAnswered, markSent } from '../open-requests.ts'
import * as calls from '../intercept/answer/calls-layer.ts'
import { HOST_HEADER } from '../intercept/http/headers.ts'
import { requestListeners } from '../intercept/context/carried-context.ts'
import type { RequestContext } from '../intercept/context/request-context.ts'
import { currentScope, type Scope } from '../scope.ts'
import { askByRequest, deliverLater } from '../intercept/http/deliver-fetch.ts'
import type { Handshake } from '../intercept/websocket/socket-server.ts'
import { listenTo } from '../intercept/patch/channels.ts'
import { keepWhenLoaded } from '../intercept/patch/when-loaded.ts'
import { inRealWorld } from '../../real/real-world.ts'
import { isHere, tunnelTo } from '../intercept/guard/guard-policy.ts'
import { fetchDirectly } from '../fetch-directly.ts'
import { interception, openEntrances } from '../intercept/entrances.ts'
import { addressOfCaught } from '../address.ts'
import { baseOfVisit, followVisits } from './follow-visits.ts'
import { knownInEnvironment, type KnownValue, withoutParts } from '../../secrets/known-values.ts'
import { spellTold, TOLD_HEADER } from '../../secrets/told-values.ts'
import { dial, passOn } from '../intercept/websocket/socket-upstream.ts'

const load = requireFrom(import.meta.url)

/**
 * The base at the gateway for a request of a scope, with the token of its test; or the reason why no gateway answers
 * it.
 */
export type BaseOf = (scope: Scope | undefined, address: string) => string | CassetteError

/**
 * Lets the gateway of a test answer the LLM calls of this process, by the same entrances as in the process of the
 * test.
 */
export function askGateway(base: string, options: HostOptions): void {
  // A server that many tests ask gets the test of each request from its header.
  followVisits(() => {})
  askGateways((scope) => baseOfVisit(scope) ?? base, options)
}

/** As {@link askGateway}, for a process that answers several tests at the same time. */
export function askGateways(baseOf: BaseOf, options: HostOptions): void {
  listenTo(requestListeners((method, url) => judgeUrl(method, url, options) !== 'no'))
  const judge = (method: string, url: string): LlmCall => {
    const judged = judgeUrl(method, url, options)
    const address = judged === 'no' ? URL.parse(url) : null
    return address && sideRequestIn(address, options) ? 'beside' : judged
  }
  // Programs replace these to send everything through a proxy.
  keepWhenLoaded('node:http')
  const ends = openEntrances(
    {
      judge,
      isLlmSocket: (url) => isLlmSocket(url, options),
      // MSW shows all requests, so each is judged here.
      answer: (request, { scope }) =>
        judge(meantMethod(request), request.url) === 'no' ? undefined : ask(request, baseOf, scope),
      tunnels: () => ({
        isOurs: (authority) =>
          isHere(tunnelTo(authority), options.allowHosts) ||
          judgeUrl('CONNECT', `https://${authority}`, options) === 'certain',
        // The guard judges the others.
        refuse: () => undefined,
      }),
      answerSocket: (handshake, context) => void askForSocket(handshake, context, baseOf),
      send: (request) => ask(request, baseOf, currentScope()),
      calls: () => calls,
      later: () => ({ askByRequest, deliverLater }),
      network: () => load('./network.mjs') as ReturnType<Layers['network']>,
      taking: () => load('./taking.mjs') as ReturnType<Layers['taking']>,
    },
    () => () => {},
  )
  interception.isOwn = false
  interception.end = () => ends.toReversed().forEach((end) => end())
}

async function ask(
  request: Request | PlainRequest,
  baseOf: BaseOf,
  scope: Scope | undefined,
): Promise<Response> {
  const base = baseOf(scope, `${request.method} ${request.url}`)
  if (typeof base !== 'string') return refuse(request.url, base.message, web)
  const whole = await readWhole(request)
  try {
    return await fetchDirectly(addressOfCaught(base, whole.url), whole, told())
  } catch {
    if (whole.signal?.aborted) throw whole.signal.reason
    // The test has ended, or the gateway broke the connection as the provider did.
    return web.Response.error()
  }
}

/** What was known at the last request, and its header. */
let last: { known?: readonly KnownValue[]; headers: Array<[string, string]> } = { headers: [] }

/**
 * The header that tells the gateway the credentials of this process: a server reads files of its own, after its start.
 * In replay too, where a prompt holds what replaced them.
 */
function told(): Array<[string, string]> {
  const known = knownInEnvironment(process.env)
  if (last.known !== known)
    last = {
      known,
      headers: known.length > 0 ? [[TOLD_HEADER, spellTold(withoutParts(known))]] : [],
    }
  return last.headers
}

async function askForSocket(
  handshake: Handshake,
  context: RequestContext,
  baseOf: BaseOf,
): Promise<void> {
  markSent(context.open)
  const base = baseOf(context.scope, handshake.url)
  if (typeof base !== 'string') return handshake.reject(400)
  const url = addressOfCaught(base, handshake.url).replace('http', 'ws')
  const { host, ...headers } = handshake.headers
  const named = host === undefined ? {} : { [HOST_HEADER]: host }
  await passOn(
    handshake,
    closeWhenAnswered(
      context.open,
      inRealWorld(() =>
        dial({
          ...handshake,
          url,
          headers: { ...headers, ...named, ...Object.fromEntries(told()) },
        }),
      ),
    ),
  )
}
