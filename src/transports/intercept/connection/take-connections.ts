import type { Agent, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { builtin } from '../../../real/builtin.ts'
import { callLater, timers } from '../../../real/clock.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { bytesOf, type WireEvent } from '../call/read-wire.ts'
import { headerOfRequest, type NodeRequest } from '../context/carried-context.ts'
import { meantMethod } from '../call/preflight.ts'
import { connectTarget, type ConnectTarget } from '../patch/connect-target.ts'
import { hostInUrl } from '../patch/dial.ts'
import type { Listeners } from '../patch/channels.ts'
import { type Loaded, outsideOfMsw } from '../patch/outside-of-msw.ts'
import {
  type InnerSocket,
  newSecureSocket,
  type ConnectionPlace,
  releaseSocket,
  serverEndOf,
  takeSocket,
} from './memory-socket.ts'
import { isWebSocket, originAt, tunnelOf } from './serve-connection.ts'
import { RequestSorter } from './sort-requests.ts'
import { isNamed, StandInAddresses } from './stand-in-addresses.ts'

/** Judges what comes, and answers what is ours. */
export interface Taker {
  /** Whether every request to an origin is ours. */
  isCertain(origin: string): boolean
  /** Whether a request is ours, or the WebSocket that it asks for. */
  isOurs(method: string, url: string, isSocket: boolean): boolean
  /** Whether connections to an origin are refused, and requests there have words of their own. */
  isClosed(origin: string): boolean
  /** Whether what comes through a tunnel is. */
  isOurTunnel(authority: string): boolean
  accept(connection: Duplex, place: ConnectionPlace): void
  /** Ends the connections that were accepted. */
  close(): void
}

/** Milliseconds for which the beginning of what may become a request is held back. */
const PATIENCE = 200

type Own<Result> = (...args: unknown[]) => Result

type Done = (error: null, ...given: unknown[]) => void

/**
 * Takes the connections of all clients but Node's own fetch. One that is certainly a provider's gets a socket of memory
 * at once. Of one that will carry HTTP, the first request decides; any other is made, and what its client writes first
 * decides. All else goes on to the real server, byte for byte.
 */
export class ConnectionTaker {
  readonly #taker: Taker
  #expected: { hosts: unknown[]; port: string } | undefined
  /** The connection that was begun last, whose request `node:http` may tell next. */
  #last: { socket: Socket; place: ConnectionPlace } | undefined
  #isInTls = false
  readonly #names = new StandInAddresses()
  /** The connections to hosts that are certain, each with what ends the waiting for what its client writes first. */
  readonly #held = new WeakMap<object, { place: ConnectionPlace; release: () => boolean }>()

  constructor(taker: Taker) {
    this.#taker = taker
  }

  close(): void {
    this.#taker.close()
  }

  /**
   * Takes what a client asks of a function of Node.
   *
   * @param isOnTop whether nobody who intercepts here too comes first
   */
  take(
    name: 'connect' | 'connectTls' | 'addRequest',
    self: unknown,
    args: unknown[],
    own: (this: unknown, ...args: unknown[]) => unknown,
    isOnTop: boolean,
  ): unknown {
    const past = (...given: unknown[]): unknown => Reflect.apply(own, self, given)
    return inRealWorld(() => {
      if (name === 'connect')
        return this.connect(self as Socket, args, past as Own<Socket>, isOnTop)
      if (name === 'connectTls') return this.connectTls(args, past as Own<Socket>)
      return this.addRequest(self as Agent, args, past as Own<void>)
    })
  }

  /** In the place of a function of `node:dns`: a host that is certain is not asked for. */
  lookUp(
    name: string,
    self: unknown,
    args: unknown[],
    own: (this: unknown, ...args: unknown[]) => unknown,
    isPromised: boolean,
  ): unknown {
    const [host, ...rest] = args
    const past = (): unknown => Reflect.apply(own, self, args)
    return inRealWorld(() => {
      if (!isNamed(host) || !this.#taker.isCertain(`https://${hostInUrl(host)}`)) return past()
      const done = typeof rest.at(-1) === 'function' ? (rest.pop() as Done) : undefined
      if (!isPromised && !done) return past()
      const answer = this.#names.answer(name, host, rest)
      if (!done) return Promise.resolve(answer)
      const { address, family } = answer as { address?: string; family?: number }
      const given = address === undefined ? [answer] : [address, family]
      return void timers.nextTick(done, null, ...given)
    })
  }

  /**
   * Keeps the interceptors of MSW's library that began before this: one that ends puts back what was there before it,
   * and would take what lies above it away. Returns a function that lets them go.
   */
  holdOthers(): () => void {
    const { __MSW_INTERCEPTORS_REGISTRY: users } = globalThis as Loaded
    const owner = {}
    const held = [...users!.values()].filter(({ readyState }) => readyState === 'ACTIVE')
    for (const one of held) one.apply(owner)
    return () => held.forEach((one) => one.dispose(owner))
  }

  /** In the place of `connect` of a socket. */
  connect(socket: Socket, args: unknown[], own: Own<Socket>, isOnTop: boolean): Socket {
    const target = this.#targetOf(args)
    // What an interceptor of MSW's library has taken it connects to nothing, and lets pass by another socket.
    const isMocked = target.lookup?.name === 'mockLookup'
    if (this.#isInTls || target.path || isMocked) return own(...args)
    releaseSocket(socket)
    const inner = socket as unknown as InnerSocket & { servername?: string }
    const isSecure = socket instanceof builtin('node:tls').TLSSocket
    const given = isSecure ? { servername: inner.servername, ...target } : target
    const place: ConnectionPlace = { ...placeOf(given, isSecure), isBelowOthers: !isOnTop }
    const isCertain = this.#taker.isCertain(place.origin)
    // What mocks of others let pass carries HTTP, as a rule.
    if (!isCertain && !this.#isExpected(target) && isOnTop) {
      const go = (): Socket => {
        const connecting = own(...args)
        this.#watch(socket, place)
        return connecting
      }
      if (!this.#taker.isClosed(place.origin)) return go()
      // A request that comes with it, which has words of its own, is told right after this.
      inner.connecting = true
      this.#note(socket, place)
      timers.nextTick(() => {
        if (!serverEndOf(socket) && !socket.destroyed) go()
      })
      return socket
    }
    const done = listenerOf(args)
    if (done && done !== inner._start) socket.once('connect', done)
    const begin = (): void => {
      // Node would end this process where the connection of its session has gone. The guard judges this one.
      if (isOfHttp2(socket)) return void own(target)
      const open = (): Socket => builtin('node:net').connect(target as never)
      const release = this.#hold(takeSocket(socket, place), place, open, isCertain)
      if (isCertain) this.#held.set(socket, { place, release })
    }
    if (!isSecure) begin()
    else {
      // What makes its TLS goes on after this.
      inner.connecting = true
      timers.nextTick(begin)
    }
    return socket
  }

  /** In the place of `connect` of `node:tls`. */
  connectTls(args: unknown[], own: Own<Socket>): Socket {
    const past = (...given: unknown[]): Socket => {
      const before = this.#isInTls
      this.#isInTls = true
      try {
        return own(...given)
      } finally {
        this.#isInTls = before
      }
    }
    const target = this.#targetOf(args)
    if (target.path && !target.port && !target.socket) return past(...args)
    const place = placeOf(target, true)
    const make = (at: ConnectionPlace): Socket => {
      const socket = newSecureSocket(target, at)
      const done = listenerOf(args)
      if (done) socket.once('secureConnect', done)
      if (target.timeout) socket.setTimeout(target.timeout)
      return socket
    }
    if (target.socket)
      return this.#connectInside(target.socket, target, place, make) ?? past(...args)
    if (this.#taker.isCertain(place.origin)) {
      const socket = make(place)
      this.#hold(takeSocket(socket, place), place, () => own(...args), true)
      return socket
    }
    if (this.#isExpected(target)) {
      const at: ConnectionPlace = { ...place, alpn: 'http/1.1' }
      const socket = make(at)
      const ALPNProtocols = target.ALPNProtocols && ['http/1.1']
      const open = (): Socket => own({ ...target, ALPNProtocols })
      this.#hold(takeSocket(socket, at), at, open, false)
      return socket
    }
    if (this.#taker.isClosed(place.origin)) {
      const socket = make(place)
      this.#note(socket, place)
      timers.nextTick(() => {
        if (!serverEndOf(socket) && !socket.destroyed)
          this.#splice(takeSocket(socket, place), place, () => own(...args))
      })
      return socket
    }
    const socket = past(...args)
    this.#watch(socket, place)
    return socket
  }

  /** TLS over a socket of the client: over one in memory none is spoken, since nobody looks at the bytes. */
  #connectInside(
    tunnel: Socket,
    { servername }: ConnectTarget,
    place: ConnectionPlace,
    make: (at: ConnectionPlace) => Socket,
  ): Socket | undefined {
    const held = this.#held.get(tunnel)
    const to = tunnelOf(tunnel) ?? (held?.release() ? held.place : undefined)
    if (!to) return undefined
    const at: ConnectionPlace = { ...place, ...to, isSecure: true, alpn: place.alpn ?? false }
    at.origin = originAt(servername || to.host, to.port, true)
    const socket = make(at)
    this.#taker.accept(takeSocket(socket, at), at)
    socket.once('close', () => tunnel.destroy())
    return socket
  }

  /** In the place of the method by which an agent gets a request of `node:http`, which tells all before it connects. */
  addRequest(agent: Agent, args: unknown[], own: Own<void>): void {
    const [request, options] = args as [
      ClientRequest & NodeRequest,
      (ConnectTarget & { socketPath?: string }) | undefined,
    ]
    const isSecure = request.protocol === 'https:'
    const { port } = options ?? {}
    const named = String(options?.host ?? request.host).replace(/^\[|\]$/g, '')
    const host = this.#names.hostAt(named)
    const place: ConnectionPlace = {
      ...placeOf({ ...options, host, servername: options?.servername || undefined }, isSecure),
      port: Number(port) || (isSecure ? 443 : 80),
      alpn: isSecure && 'http/1.1',
      proxy: proxyOf(agent),
    }
    // The name of TLS is that of the header, if they differ.
    place.origin = originAt(host, place.port, isSecure)
    if (options?.socketPath || !this.#isAsked(requestOf(request, place))) return own(...args)
    const { Socket } = builtin('node:net')
    const socket = isSecure ? newSecureSocket({}, place) : new Socket()
    this.#taker.accept(takeSocket(socket, place), place)
    // One connection a request: a pool would keep it for another test.
    socket.on('free', () => socket.destroySoon())
    const timeout =
      request['timeout' as keyof ClientRequest] ??
      (agent as { options?: { timeout?: number } }).options?.timeout
    if (timeout) socket.setTimeout(timeout as number)
    request.onSocket(socket)
  }

  /** What clients tell of the requests for which they connect. */
  readonly listeners: Listeners = {
    // Undici is about to connect to send HTTP.
    'undici:client:beforeConnect': ({ connectParams }: { connectParams: Connecting }) => {
      const { hostname, host, port } = connectParams
      this.#expected = { hosts: [hostname, host], port: String(port ?? '') }
      queueMicrotask(() => (this.#expected = undefined))
    },
    // Without an agent, `node:http` tells of its request right after it began to connect.
    'http.client.request.created': ({
      request,
    }: {
      request: NodeRequest & { agent?: unknown }
    }) => {
      const { socket, place } = this.#last ?? {}
      if (!socket || !place || request.agent || socket.destroyed) return
      if (!this.#isAsked(requestOf(request, place))) return
      this.#taker.accept(takeSocket(socket, place), place)
    },
  }

  /** How a client connects; to an address that stands for a host, as to that host. */
  #targetOf(args: unknown[]): ConnectTarget {
    const target = connectTarget(args)
    const host = target.host && this.#names.hostAt(target.host)
    return host === target.host ? target : { ...target, host: host! }
  }

  #isExpected({ host, port }: ConnectTarget): boolean {
    const { hosts, port: known } = this.#expected ?? {}
    const isMeant = hosts?.includes(host) && (!known || String(port) === known)
    if (isMeant) this.#expected = undefined
    return isMeant === true
  }

  #isAsked({ method, url, named, isSocket }: Asked): boolean {
    const { isCertain, isOurs } = this.#taker
    return [url, named].some((one) => isCertain(originIn(one))) || isOurs(method, url, isSocket)
  }

  /** Whether what a client writes to a place is ours. */
  #isEventOurs(event: WireEvent, { origin }: ConnectionPlace): boolean {
    if (event.kind === 'way')
      return (
        event.by === 'HTTP' && this.#taker.isOurTunnel(`${hostInUrl(event.host)}:${event.port}`)
      )
    const { request, url, isNamed, host, port } = event
    const { protocol, pathname, search } = new URL(url)
    return this.#isAsked({
      method: meantMethod(request),
      // To a proxy, the target names the host.
      url: isNamed ? origin + pathname + search : url,
      named: originAt(host, port, protocol === 'https:'),
      isSocket: isWebSocket(request.headers.get('upgrade')),
    })
  }

  /**
   * Waits for what a client writes first, which decides. Returns a function that ends this; false where it has been
   * decided.
   */
  #hold(
    server: Duplex,
    place: ConnectionPlace,
    open: () => Socket,
    isCertain: boolean,
  ): () => boolean {
    const sorter = this.#sorter(place)
    let seen = Buffer.alloc(0)
    let isDecided = false
    const release = (): boolean => {
      if (isDecided) return false
      server.off('readable', read).off('end', giveUp)
      cancel?.()
      return (isDecided = true)
    }
    const decide = (isOurs: boolean): void => {
      release()
      if (seen.length > 0 && !server.readableEnded) server.unshift(seen)
      if (isOurs) this.#taker.accept(server, place)
      else this.#splice(server, place, open, server.readableEnded ? seen : undefined)
    }
    const read = (): void => {
      for (let chunk: Buffer | null; (chunk = server.read() as Buffer | null);) {
        seen = Buffer.concat([seen, chunk])
        const { ours } = sorter.sort(chunk)
        if (!ours && sorter.isHolding) continue
        const isHttp = !sorter.isDone || seen.toString('latin1', 0, 3) === 'PRI'
        return decide(ours !== undefined || (isCertain && isHttp))
      }
    }
    // What ends before it is a request is none.
    const giveUp = (): void => decide(false)
    server.on('readable', read).on('end', giveUp)
    // A server may speak first.
    const cancel = place.isBelowOthers && !isCertain ? callLater(PATIENCE, giveUp) : undefined
    return release
  }

  /** Joins a client to its server, byte for byte, until a request is ours. */
  #splice(server: Duplex, place: ConnectionPlace, open: () => Socket, last?: Buffer): void {
    const real = place.isBelowOthers ? outsideOfMsw(open) : outsideOfMsw(open, null)
    const sorter = this.#sorter(place)
    const broke = (error: Error): void => void server.destroy(error)
    const ended = (): void => void (server.destroyed || server.end())
    real.on('error', broke)
    real.pipe(server)
    real.once('close', ended)
    server.once('close', () => real.destroy())
    server.on('end', () => real.end())
    if (last) real.end(last)
    const read = (bytes: Buffer): void => {
      const { passes, ours } = sorter.sort(bytes)
      if (passes.length > 0) real.write(passes)
      if (!ours) return
      server.off('data', read)
      server.pause()
      real.unpipe(server)
      real.off('close', ended).off('error', broke)
      real.on('error', () => {}).destroy()
      server.unshift(ours)
      this.#taker.accept(server, { ...place, isLast: true })
      server.resume()
    }
    server.on('data', read)
  }

  /** Lets a connection be made, and looks at what its client writes first: a server may speak before. */
  #watch(socket: Socket, place: ConnectionPlace): void {
    this.#note(socket, place)
    const inner = socket as unknown as InnerSocket
    const below = inner._writeGeneric
    const isBelowOwn = Object.hasOwn(inner, '_writeGeneric')
    const sorter = this.#sorter(place)
    let cancel: (() => void) | undefined
    const untie = (): void => {
      cancel?.()
      Reflect.deleteProperty(inner, '_final')
      if (isBelowOwn) inner._writeGeneric = below
      else Reflect.deleteProperty(inner, '_writeGeneric')
    }
    /** Sends what was held back, as it was no request. */
    const release = (done: () => void = () => {}): void => {
      untie()
      below.call(inner, false, sorter.release(), 'buffer', done)
    }
    const finish = inner._final
    inner._final = (done) => {
      if (sorter.isHolding) release(() => finish.call(inner, done))
      else finish.call(inner, done)
    }
    inner._writeGeneric = (isMany, data, encoding, done) => {
      // Node comes here again once it is connected.
      if (inner.connecting) return below.call(inner, isMany, data, encoding, done)
      const bytes = bytesOf(isMany, data, encoding)
      const { passes, ours } = sorter.sort(bytes)
      if (ours) {
        untie()
        const server = takeSocket(socket, place)
        this.#taker.accept(server, { ...place, isLast: true })
        return inner._writeGeneric(false, ours, 'buffer', done)
      }
      if (sorter.isDone) untie()
      cancel?.()
      // A word that is no request, whose client waits for an answer.
      if (sorter.isHolding) cancel = callLater(PATIENCE, release)
      if (passes.length === 0) return done()
      below.call(inner, false, passes, 'buffer', done)
    }
  }

  #note(socket: Socket, place: ConnectionPlace): void {
    this.#last = { socket, place }
    timers.nextTick(() => (this.#last = undefined))
  }

  #sorter(place: ConnectionPlace): RequestSorter {
    const { host, port, isSecure, servername } = place
    return new RequestSorter(
      { host: servername || host, port: port || (isSecure ? 443 : 80), isSecure },
      (event) => this.#isEventOurs(event, place),
    )
  }
}

/** Where undici is about to connect. */
interface Connecting {
  hostname: string
  host: string
  port: string | number | null
}

/** A request of `node:http`, at its connection and at the host that its header names. */
interface Asked {
  method: string
  url: string
  named: string
  isSocket: boolean
}

/** @param place where its connection leads */
function requestOf(request: NodeRequest, { origin }: Pick<ConnectionPlace, 'origin'>): Asked {
  const { protocol, path } = request
  const named = headerOfRequest(request, 'host')
  return {
    method: headerOfRequest(request, 'access-control-request-method') ?? request.method,
    url: /^https?:/.test(path) ? path : origin + path,
    named: named === undefined ? origin : `${protocol}//${named}`,
    isSocket: isWebSocket(headerOfRequest(request, 'upgrade')),
  }
}

/** The proxy through which an agent such as https-proxy-agent connects. */
function proxyOf(agent: Agent): string | undefined {
  const { proxy } = agent as { proxy?: unknown }
  const isNamed = proxy instanceof URL || typeof proxy === 'string'
  return isNamed ? URL.parse(String(proxy))?.href : undefined
}

/** Whether a session of HTTP/2 writes to a socket of TLS, which it does past its streams. It asks for this first. */
function isOfHttp2(socket: Socket): boolean {
  return Object.getOwnPropertySymbols(socket).some(
    ({ description }) => description === 'disable-renegotiation',
  )
}

function originIn(address: string): string {
  return URL.parse(address)?.origin ?? address
}

function listenerOf(args: unknown[]): (() => void) | undefined {
  const all = Array.isArray(args[0]) ? [args[0][1] as unknown, ...args.slice(1)] : args
  return all.findLast((one) => typeof one === 'function') as (() => void) | undefined
}

/** What holds for every connection of a client. */
const KEPT =
  'ca cert checkServerIdentity ciphers family key localAddress lookup maxVersion minVersion passphrase pfx rejectUnauthorized'.split(
    ' ',
  )

function placeOf(target: ConnectTarget, isSecure: boolean): ConnectionPlace {
  const { host = 'localhost', port, servername, ALPNProtocols } = target
  const kept = Object.entries(target).filter(
    ([name, value]) => KEPT.includes(name) && value !== undefined,
  )
  const name = (isSecure && servername) || host
  const [offered] = [ALPNProtocols ?? []].flat()
  return {
    origin: originAt(name, Number(port), isSecure),
    host,
    port: Number(port),
    isSecure,
    alpn: offered === undefined ? false : String(offered),
    servername: name,
    options: Object.fromEntries(kept),
  }
}
