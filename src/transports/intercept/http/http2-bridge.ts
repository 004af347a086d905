import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2'
import { duplexPair } from 'node:stream'
import type { LlmCall } from '../call/judge-address.ts'
import { headerOf, originAsked, originOf, type RequestHeaders } from './headers.ts'
import { serveHttp2, type AnswerHttp2 } from './http2-server.ts'
import { outsideOfMsw } from '../patch/outside-of-msw.ts'
import { contextHeaders } from '../context/carried-context.ts'

/** Judges an address. Nothing goes to a socket of an origin that is certain; on others, each request is judged. */
type Judge = (method: string, url: string) => LlmCall

type Connect = typeof import('node:http2').connect
type Authority = Parameters<Connect>[0]

/**
 * Bridges HTTP/2 to the handler: a session to a provider gets a pair of streams in memory with a real HTTP/2 server at its
 * other end. Of any other session, the LLM calls alone take the bridge. Each request has its context from where it is
 * made, since tests can share a session.
 *
 * @returns what stands in the place of `connect`
 */
export function bridgeHttp2(connect: Connect, judge: Judge, answer: AnswerHttp2): Connect {
  function bridged(authority: Authority, ...rest: unknown[]): ClientHttp2Session {
    const origin = originOf(authority)
    const open = (): ClientHttp2Session => connect(authority, ...(rest as []))
    if (!origin) return outsideOfMsw(open)
    if (isProvider(origin, judge)) {
      const listener = rest.find((argument) => typeof argument === 'function')
      const options = rest.find((argument) => typeof argument === 'object') ?? {}
      // The connection of a client's own, such as that of gRPC, is taken as all others are.
      const session =
        'createConnection' in options
          ? open()
          : connectInMemory(connect, origin, answer, options, listener as Listener)
      return stampRequests(session, origin, (own) => own)
    }
    return divert(outsideOfMsw(open), origin, connect, judge, answer)
  }
  return bridged as Connect
}

function isProvider({ href }: URL, judge: Judge): boolean {
  return judge('CONNECT', href) === 'certain'
}

type Listener = Parameters<Connect>[2]

function connectInMemory(
  connect: Connect,
  origin: URL,
  answer: AnswerHttp2,
  options: object = {},
  listener?: Listener,
): ClientHttp2Session {
  const [client, server] = duplexPair()
  serveHttp2(server, origin, answer)
  return connect(origin, { ...options, createConnection: () => client }, listener)
}

type Send = ClientHttp2Session['request']

/**
 * Gives each request of a session its context where it is made, since tests can share a session.
 *
 * @param senderFor returns what sends a request; `undefined` for one that is no LLM call
 */
function stampRequests(
  session: ClientHttp2Session,
  { origin }: URL,
  senderFor: (own: Send, method: string, path: string, headers: RequestHeaders) => Send | undefined,
): ClientHttp2Session {
  const own = session.request.bind(session)
  session.request = (headers, options) => {
    const [method = 'GET', path = '/'] = [':method', ':path'].map((name) => headerOf(headers, name))
    const send = senderFor(own, method, path, headers)
    if (!send) return own(headers, options)
    const context = contextHeaders(`${method} ${origin}${path}`)
    const noted = Array.isArray(headers)
      ? [...headers, ...Object.entries(context.headers).flat()]
      : { ...(headers as OutgoingHttpHeaders), ...context.headers }
    return send(noted, options).once('close', context.end)
  }
  return session
}

/** Sends the LLM calls of a connection over the bridge, which opens at the first of them. */
function divert(
  session: ClientHttp2Session,
  origin: URL,
  connect: Connect,
  judge: Judge,
  answer: AnswerHttp2,
): ClientHttp2Session {
  let bridge: ClientHttp2Session | undefined
  return stampRequests(session, origin, (_own, method, path, headers) => {
    const named = originAsked(headers, origin)
    const asked = isProvider(named, judge) ? named : origin
    if (judge(method, asked.origin + path) === 'no') return undefined
    if (!bridge || bridge.closed || bridge.destroyed) {
      // The connection leads to its origin, whatever host the request names.
      bridge = connectInMemory(connect, origin, answer)
      // In replay the server can be down. The application does not need it any more.
      session.on('error', () => {})
    }
    return bridge.request.bind(bridge)
  })
}
