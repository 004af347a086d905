import type { ClientHttp2Session, ClientSessionOptions, OutgoingHttpHeaders } from 'node:http2'
import { Duplex, duplexPair } from 'node:stream'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { headerOf, originAsked, originOf, type RequestHeaders } from './http2-origin.ts'
import { serveHttp2, type AnswerHttp2 } from './http2-server.ts'
import { outsideOfMsw } from '../patch/outside-of-msw.ts'
import { contextHeaders } from '../context/request-context.ts'

/** Judges addresses for the bridge. */
export interface Http2Judge {
  /** Whether nothing of this origin may go to a socket. */
  isProvider(origin: URL): boolean
  /** Whether one request may be an LLM call, on an origin that is no provider's. */
  isLlmCall(method: string, url: string): boolean
}

type Connect = typeof import('node:http2').connect
type Authority = Parameters<Connect>[0]

/**
 * Bridges HTTP/2 to the handler: a connection to a provider gets an in-memory pair of streams with a real HTTP/2 server
 * at its other end. Other connections stay real, and only their LLM calls take the bridge. Returns a function that
 * removes the bridge. MSW does not see HTTP/2, and makes it hang.
 */
export function bridgeHttp2(judge: Http2Judge, answer: AnswerHttp2): () => void {
  return replaceOnce(builtin('node:http2'), 'connect', (connect) => {
    function bridged(authority: Authority, ...rest: unknown[]): ClientHttp2Session {
      const origin = originOf(authority)
      if (origin && judge.isProvider(origin)) {
        const listener = rest.find((argument) => typeof argument === 'function')
        const options = rest.find((argument) => typeof argument === 'object') ?? {}
        return stampRequests(
          connectInMemory(connect, origin, answer, options, listener as Listener),
          origin,
        )
      }
      const session = outsideOfMsw(() => connect(authority, ...(withOwnSockets(rest) as [])))
      return origin ? divert(session, origin, connect, judge, answer) : session
    }
    return bridged as Connect
  })
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

/** Tests can share a session, so each of its requests gets its context where it is made. */
function stampRequests(session: ClientHttp2Session, origin: URL): ClientHttp2Session {
  const request = session.request.bind(session)
  session.request = (headers, options) => requestStamped(request, origin, headers, options)
  return session
}

/** Sends the LLM calls of a connection over the bridge, which opens at the first of them. */
function divert(
  session: ClientHttp2Session,
  origin: URL,
  connect: Connect,
  judge: Http2Judge,
  answer: AnswerHttp2,
): ClientHttp2Session {
  const request = session.request.bind(session)
  const bridges = new Map<string, ClientHttp2Session>()
  session.request = (headers, options) => {
    const method = headerOf(headers, ':method') ?? 'GET'
    const path = headerOf(headers, ':path') ?? '/'
    const named = originAsked(headers, origin)
    const asked = judge.isProvider(named) ? named : origin
    if (!judge.isLlmCall(method, asked.origin + path)) return request(headers, options)
    let bridge = bridges.get(asked.origin)
    if (!bridge || bridge.closed || bridge.destroyed) {
      bridge = connectInMemory(connect, asked, answer)
      bridges.set(asked.origin, bridge)
      // In replay the server can be down. The application does not need it any more.
      session.on('error', () => {})
    }
    return requestStamped(bridge.request.bind(bridge), origin, headers, options)
  }
  return session
}

/**
 * MSW has taken a socket that the caller opened, and waits for writes to it. HTTP/2 writes below the socket, so it is
 * wrapped as a stream.
 */
function withOwnSockets(rest: unknown[]): unknown[] {
  return rest.map((argument) => {
    const { createConnection } = (argument ?? {}) as ClientSessionOptions
    if (!createConnection) return argument
    return {
      ...(argument as object),
      createConnection: (...args: Parameters<typeof createConnection>) => {
        const socket = createConnection(...args)
        const taken = Object.hasOwn(socket, 'connect')
        return taken ? Duplex.from({ readable: socket, writable: socket }) : socket
      },
    }
  })
}

/** Makes a request that carries its context. */
function requestStamped(
  request: ClientHttp2Session['request'],
  { origin }: URL,
  headers: RequestHeaders,
  options: Parameters<typeof request>[1],
): ReturnType<typeof request> {
  const [method = 'GET', path = '/'] = [':method', ':path'].map((name) => headerOf(headers, name))
  const context = contextHeaders(`${method} ${origin}${path}`)
  const noted = Array.isArray(headers)
    ? [...headers, ...Object.entries(context.headers).flat()]
    : { ...(headers as OutgoingHttpHeaders), ...context.headers }
  return request(noted, options).once('close', context.end)
}
