import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CassetteError } from '../../../errors.ts'
import { builtin } from '../../../real/builtin.ts'
import { web } from '../../../real/web.ts'
import { runInScope } from '../../scope.ts'
import { newRequest } from '../call/new-request.ts'
import { withWholeTarget } from '../call/whole-target.ts'
import { contextIn, isContextHeader } from '../context/carried-context.ts'
import { headersOf, pairsOf } from '../http/headers.ts'
import { isPlainBody, type PlainRequest } from '../http/plain-request.ts'
import { isOfConnection, pour } from '../http/http2-server.ts'
import { hostInUrl } from '../patch/dial.ts'
import { outsideOfMsw } from '../patch/outside-of-msw.ts'
import { type ConnectionPlace, deliverIn, RESET, serverEndOf } from './memory-socket.ts'

/** What answers the requests of connections. */
export interface Served {
  /** Gets each request of HTTP/1 once it is whole, and has to settle it once. */
  answer(exchange: ServedRequest): void
  /** Serves a connection whose client speaks HTTP/2. */
  serveHttp2(connection: Duplex, origin: URL): void
  /** Takes a WebSocket, whose messages it answers; false treats it as any other request. */
  takeSocket(handshake: IncomingMessage, socket: Duplex, head: Buffer, url: string): boolean
  /** Refuses a tunnel; `undefined` answers what comes through it. */
  refuseTunnel(authority: string): Response | undefined
  /** Fails the test in which a client encrypts by itself what was to be answered. */
  fail(error: Error): Error
}

/** No time-outs: a test may stop its clock. Heads may be as long as servers of providers take them. */
const OPTIONS = {
  keepAliveTimeout: 0,
  requestTimeout: 0,
  headersTimeout: 0,
  maxHeaderSize: 1 << 20,
}

/** The first byte of a handshake of TLS. */
const HANDSHAKE = 22

/**
 * Serves connections in memory: HTTP/1 with tunnels and upgrades, and HTTP/2 by its first bytes. Knows neither MSW nor
 * cassettes.
 */
export class ConnectionServer {
  readonly #served: Served
  readonly #places = new WeakMap<object, ConnectionPlace>()
  readonly #open = new Set<Duplex>()
  #server: Server | undefined

  constructor(served: Served) {
    this.#served = served
  }

  /** Takes the server's end of a connection, and where it was to lead. */
  accept(connection: Duplex, place: ConnectionPlace): void {
    this.#places.set(connection, place)
    this.#open.add(connection)
    connection.once('close', () => this.#open.delete(connection))
    const begin = (): void => {
      const first = connection.read() as Buffer | null
      if (first === null) return void connection.once('readable', begin)
      connection.unshift(first)
      if (first.toString('latin1', 0, 3) === 'PRI')
        this.#served.serveHttp2(connection, new URL(place.origin))
      else if (first[0] === HANDSHAKE) connection.destroy(this.#served.fail(encrypted(place)))
      else this.#http1().emit('connection', connection)
    }
    begin()
  }

  /** Ends all connections: clients keep them, and none may lead here any more. */
  close(): void {
    for (const connection of this.#open) connection.destroy()
  }

  #http1(): Server {
    if (this.#server) return this.#server
    const server = builtin('node:http').createServer(OPTIONS)
    server.timeout = 0
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = new ServedRequest(request, response, this.#places.get(request.socket)!)
      exchange.read(() => {
        try {
          this.#served.answer(exchange)
        } catch (error) {
          exchange.fail(error as Error)
        }
      })
    }
    server.on('request', take)
    server.on('upgrade', (request, socket, head) => {
      const { origin } = this.#places.get(socket)!
      const { url = '/', headers } = request
      if (isWebSocket(headers.upgrade)) {
        const address = origin + withWholeTarget(url)
        if (this.#served.takeSocket(request, socket, head, address)) return
      }
      // Any other handshake is answered as a request; if it passes, the connection does.
      if (head.length > 0) socket.unshift(head)
      const response = new (builtin('node:http').ServerResponse)(request)
      response.assignSocket(socket as never)
      take(request, response)
    })
    server.on('connect', (request, socket, head) => {
      const refused = this.#served.refuseTunnel(request.url ?? '')
      if (!refused) return this.#openTunnel(request, socket, head)
      const response = new (builtin('node:http').ServerResponse)(request)
      response.assignSocket(socket as never)
      new ServedRequest(request, response, this.#places.get(socket)!).respond(refused)
    })
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const { code = '' } = error
      // A client that leaves in the middle of a request has sent no wrong one.
      const isWrong = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
      const place = this.#places.get(socket)!
      socket.destroy(isWrong ? this.#served.fail(unreadable(place, error)) : RESET)
    })
    return (this.#server = server)
  }

  /** Answers as a proxy would, and what comes through the tunnel as the server behind it. */
  #openTunnel({ url = '', headers }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [, host = '', port = '443'] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(url) ?? []
    const place = this.#places.get(socket)!
    // A client that speaks TLS in it says so by its socket.
    const target: ConnectionPlace = {
      ...place,
      origin: originAt(host, Number(port), false),
      host,
      port: Number(port),
      isSecure: false,
      servername: host,
      proxy: proxyAt(place, headers['proxy-authorization']),
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    tunnels.set(socket, target)
    this.accept(socket, target)
  }
}

/** The address of the proxy to which a connection was to lead, with the user that its client named. */
function proxyAt({ origin }: ConnectionPlace, authorization = ''): string {
  const address = new URL(origin)
  const [, given] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  const [user = '', ...password] = Buffer.from(given ?? '', 'base64')
    .toString()
    .split(':')
  address.username = encodeURIComponent(user)
  address.password = encodeURIComponent(password.join(':'))
  return address.href
}

/** Where the tunnels lead to that are open in memory. */
const tunnels = new WeakMap<object, ConnectionPlace>()

/** Where the tunnel leads whose end a client has; `undefined` for a connection that is no tunnel. */
export function tunnelOf(socket: object): ConnectionPlace | undefined {
  const end = serverEndOf(socket)
  return end && tunnels.get(end)
}

/** @param upgrade the value of the header */
export function isWebSocket(upgrade: string | null | undefined): boolean {
  return upgrade?.toLowerCase() === 'websocket'
}

/** An origin, without the usual port of its protocol. */
export function originAt(host: string, port: number, isSecure: boolean): string {
  const usual = isSecure ? 443 : 80
  return `${isSecure ? 'https' : 'http'}://${hostInUrl(host)}${!port || port === usual ? '' : `:${port}`}`
}

function unreadable({ origin }: ConnectionPlace, { message }: Error): CassetteError {
  return new CassetteError(
    'refused',
    `What a client sent to ${origin} is no request that can be read (${message}), so it cannot be answered. Nothing was sent.`,
  )
}

function encrypted({ origin }: ConnectionPlace): CassetteError {
  return new CassetteError(
    'refused',
    `A client encrypts what it sends to ${origin} by itself, so it cannot be answered: it took node:tls before this package was installed. Nothing was sent.`,
  )
}

/** One request of HTTP/1, which is settled once: answered, broken off, or sent on. */
export class ServedRequest {
  readonly place: ConnectionPlace
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly signal: AbortSignal
  isSettled: boolean = false
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  #body: Buffer<ArrayBuffer> | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, place: ConnectionPlace) {
    this.place = place
    const { method = 'GET', url = '/' } = incoming
    this.method = method
    const target = withWholeTarget(url)
    this.url = /^https?:\/\//i.test(target) ? target : place.origin + target
    this.headers = headersOf(incoming)
    this.#incoming = incoming
    this.#outgoing = outgoing
    outgoing.sendDate = false
    const left = new web.AbortController()
    this.signal = left.signal
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) left.abort()
    })
  }

  /**
   * Goes on once its body is whole, in the async context in which its client made it, if that is known. Where its client
   * leaves before, it does not. No promise leads there: bytes come in the context of whoever had the connection last, and
   * a promise would tie that test to this one.
   */
  read(goOn: () => void): void {
    const incoming = this.#incoming
    const inContext = contextIn(this.headers)?.inContext
    if (inContext) deliverIn(incoming.socket, inContext)
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => void parts.push(part))
    incoming.once('end', () => {
      this.#body = Buffer.concat(parts)
      if (inContext) inContext(goOn)
      else goOn()
    })
  }

  /** The request, once it was read. */
  toRequest(): Request {
    const { method, headers, signal, url } = this
    const whole = this.#body!
    return newRequest(url, { method, headers, body: whole.length > 0 ? whole : null, signal })
  }

  /** The request as {@link plainRequest} has it, once it was read; `undefined` for one of another kind. */
  toPlain(): PlainRequest | undefined {
    const { method, headers, signal, url } = this
    const whole = this.#body!
    if (method !== 'POST' || whole.length === 0 || !isPlainBody(headers)) return undefined
    return isUtf8(whole) ? { method, url, headers, body: whole.toString(), signal } : undefined
  }

  respond(response: Response): void {
    if (this.isSettled) return
    if (response.type === 'error') return this.fail()
    this.isSettled = true
    const { status, statusText, headers, body } = response
    const outgoing = this.#outgoing
    try {
      const fields = [...headers].filter(([name]) => !isOfConnection(name))
      if (this.place.isLast) fields.push(['connection', 'close'])
      outgoing.writeHead(status, statusText || undefined, fields.flat())
    } catch (error) {
      return void outgoing.destroy(error as Error)
    }
    if (!body) return void outgoing.end()
    outgoing.flushHeaders()
    pour(body, outgoing).catch(() => this.#breakOff())
  }

  /** Breaks the connection off. */
  fail(error?: Error): void {
    this.isSettled = true
    this.#breakOff(error)
  }

  #breakOff(error?: Error): void {
    this.#incoming.socket.destroy(error ?? RESET)
  }

  /** Sends the request to where it was to go, as it was sent. */
  pass(): void {
    if (this.isSettled) return
    this.isSettled = true
    const { place, method } = this
    const [incoming, outgoing] = [this.#incoming, this.#outgoing]
    const { request } = builtin(place.isSecure ? 'node:https' : 'node:http')
    const options = {
      ...place.options,
      method,
      host: place.host,
      port: place.port || undefined,
      path: incoming.url,
      servername: place.servername,
      agent: false as const,
      setHost: false,
      headers: sendable(incoming.rawHeaders),
    }
    const sent = runInScope('upstream', () => outsideOfMsw(() => request(options)))
    sent.on('information', ({ statusCode, headers }) => {
      if (statusCode === 103) outgoing.writeEarlyHints(headers as never)
    })
    sent.on('response', (answer) => {
      const { statusCode = 502, statusMessage, rawHeaders } = answer
      outgoing.writeHead(statusCode, statusMessage, rawHeaders)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => this.#breakOff())
    })
    sent.on('upgrade', (answer, socket, head) => this.#join(answer, socket, head))
    sent.on('error', (error) => this.#breakOff(error))
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) sent.destroy()
    })
    sent.end(this.#body)
  }

  #join(
    { statusCode, statusMessage, rawHeaders }: IncomingMessage,
    real: Duplex,
    head: Buffer,
  ): void {
    const { socket } = this.#incoming
    const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#outgoing.detachSocket(socket)
    socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`)
    if (head.length > 0) socket.write(head)
    real.pipe(socket).pipe(real)
    real.on('error', () => socket.destroy(RESET))
    socket.on('close', () => real.destroy())
  }
}

/** The headers that a client has sent, without those by which this package and MSW tell themselves. */
function sendable(raw: readonly string[]): string[] {
  return pairsOf(raw).flatMap(([name, value]) => {
    const isAccept = name.toLowerCase() === 'accept'
    const kept = isAccept ? value.replace(/(?:,\s*)?msw\/passthrough/, '') : value
    return isContextHeader(name.toLowerCase()) || (isAccept && kept === '') ? [] : [name, kept]
  })
}
