import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { builtin } from '../../../real/builtin.ts'
import type { InContext } from '../context/request-context.ts'
import { bytesOf } from '../call/read-wire.ts'
import { timers } from '../../../real/clock.ts'

type Done = (error?: Error | null) => void

/** Fields of a socket that Node does not document. */
export interface InnerSocket extends Omit<Duplex, '_read' | '_final'> {
  connecting: boolean
  secureConnecting?: boolean
  _handle: ({ close(): void } & Record<symbol, unknown>) | null
  _peername?: { address: string; port: number; family: string }
  _start?: () => void
  _unrefTimer(): void
  _read(): void
  _final(done: Done): void
  _writeGeneric(isMany: boolean, data: unknown, encoding: unknown, done: Done): void
  ref(): unknown
  unref(): unknown
}

/** Where a connection was to lead. */
export interface ConnectionPlace {
  /** Of HTTP, without a path. */
  origin: string
  host: string
  port: number
  isSecure: boolean
  /** The protocol that TLS agreed on. */
  alpn?: string | false
  servername?: string
  /** Set where the mocks of others lie above this, and have let it pass already. */
  isBelowOthers?: boolean
  /** What its client says of TLS and of look-ups, for requests that are sent on. */
  options?: object
  /** The proxy through which it was to lead. */
  proxy?: string
  /** Set where a connection ends with the answer: a server behind it may have ended it, or its client waits for the end. */
  isLast?: boolean
}

/** What a socket has of its own while it is one of memory. */
const OVERRIDES = ['_read', '_writeGeneric', '_final', 'ref', 'unref'] as const

/** The ends at which sockets of memory are answered. */
const ends = new WeakMap<object, ServerEnd>()

/** What goes on once a side reads again. */
const waiting = new WeakMap<object, Done>()

/** Breaks a connection off, as a server does that is gone. */
export const RESET: Error = new Error('reset')

function resetError(): Error {
  return Object.assign(new Error('read ECONNRESET'), {
    code: 'ECONNRESET',
    errno: -104,
    syscall: 'read',
  })
}

function deliver(to: Duplex, chunk: Buffer, done: Done): void {
  if (to.destroyed) return done()
  if (to instanceof builtin('node:net').Socket) (to as unknown as InnerSocket)._unrefTimer()
  if (chunk.length === 0 || to.push(chunk)) return done()
  waiting.set(to, done)
}

function readOn(side: object): void {
  const done = waiting.get(side)
  waiting.delete(side)
  done?.()
}

/** The end of a socket of memory at which it is answered. */
class ServerEnd extends Duplex {
  readonly client: InnerSocket
  // What comes back goes on in the context in which the socket was opened, as on a real one, or in that of its request.
  #inContext: InContext = AsyncLocalStorage.snapshot()

  constructor(client: InnerSocket) {
    super({ highWaterMark: 65_536 })
    this.client = client
    this.on('error', () => {})
  }

  /** Delivers what is written from here on in the context of a request. */
  deliverIn(inContext: InContext): void {
    this.#inContext = inContext
  }

  override _read(): void {
    readOn(this)
  }

  override _write(chunk: Buffer, _: unknown, done: Done): void {
    this.#inContext(deliver, this.client as unknown as Duplex, chunk, done)
  }

  override _final(done: Done): void {
    this.#inContext(() => this.#end())
    done()
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#inContext(() => {
      if (error && !this.client.destroyed)
        this.client.destroy(error === RESET ? resetError() : error)
      else this.#end()
    })
    readOn(this)
    done(error === RESET ? null : error)
  }

  #end(): void {
    if (!this.client.destroyed && !this.client.readableEnded) this.client.push(null)
  }
}

/**
 * Turns a socket that is not connected, or that has not been used yet, into one of memory. Its client goes on with it as
 * with any socket. Returns the end at which it is answered.
 */
export function takeSocket(socket: Socket, place: ConnectionPlace): Duplex {
  const client = socket as unknown as InnerSocket
  const server = new ServerEnd(client)
  const { _handle: handle, connecting, secureConnecting } = client
  if (handle) dropHandle(client)
  ends.set(client, server)
  client._read = () => readOn(client)
  // Without a handle, these would wait for one: undici calls them at each request.
  client.ref = client.unref = () => client
  client._writeGeneric = (isMany, data, encoding, done) => {
    client._unrefTimer()
    // Later: a client may write while the server still reads what came before.
    timers.nextTick(deliver, server, bytesOf(isMany, data, encoding), done)
  }
  client._final = (done) => {
    timers.nextTick(() => !server.destroyed && server.push(null))
    done()
  }
  client.once('close', () => {
    readOn(client)
    server.destroy()
  })
  const { isIP } = builtin('node:net')
  client._peername = {
    address: isIP(place.host) ? place.host : '127.0.0.1',
    port: place.port || (place.isSecure ? 443 : 80),
    family: 'IPv4',
  }
  if (handle && !connecting && !secureConnecting) return server
  // Node asks this right before it connects, if it was about to.
  client.connecting = !(connecting && handle)
  timers.nextTick(() => connected(client, place))
  return server
}

function connected(client: InnerSocket, { isSecure, alpn = false }: ConnectionPlace): void {
  if (client.destroyed) return
  client.connecting = false
  client.emit('connect')
  client.emit('ready')
  if (isSecure) {
    const early = client.listeners('end').find(({ name }) => name === 'onConnectEnd')
    if (early) client.off('end', early as () => void)
    Object.assign(client, { secureConnecting: false, authorized: true, alpnProtocol: alpn })
    client.emit('secureConnect')
  }
  client.read(0)
}

/** Ends a connection that was about to be made, or was made and not used. */
function dropHandle(client: InnerSocket): void {
  const handle = client._handle!
  for (const key of Object.getOwnPropertySymbols(handle))
    if (key.description === 'owner_symbol') handle[key] = { destroyed: true }
  client._handle = null
  handle.close()
}

/** Gives a socket back what all sockets have, before it is connected again. */
export function releaseSocket(socket: object): void {
  if (ends.delete(socket)) for (const name of OVERRIDES) Reflect.deleteProperty(socket, name)
}

/** Delivers what a client is answered from here on in the context of its request. */
export function deliverIn(end: object, inContext: InContext): void {
  if (end instanceof ServerEnd) end.deliverIn(inContext)
}

/** The socket of a client, by the end at which it is answered. */
export function clientEndOf(end: Duplex): Duplex {
  return (end as ServerEnd).client as unknown as Duplex
}

/** The end at which a socket of memory is answered; `undefined` for all others. */
export function serverEndOf(socket: object): Duplex | undefined {
  return ends.get(socket)
}

/** Makes a socket of TLS that speaks none: to make a context for it takes milliseconds. */
export function newSecureSocket(
  options: object,
  { alpn = false, servername }: ConnectionPlace,
): Socket {
  const { Socket } = builtin('node:net')
  const { TLSSocket } = builtin('node:tls')
  const socket = new Socket(options)
  Object.setPrototypeOf(socket, secureMethods(TLSSocket.prototype))
  return Object.assign(socket, {
    encrypted: true,
    authorized: false,
    authorizationError: null,
    secureConnecting: true,
    servername,
    alpnProtocol: alpn,
    _tlsOptions: {},
    ssl: null,
  })
}

let methods: object | undefined

/** The methods of a socket of TLS that ask its handle, which there is none of. */
function secureMethods(prototype: object): object {
  const cipher = { name: 'TLS_AES_256_GCM_SHA384', standardName: 'TLS_AES_256_GCM_SHA384' }
  const answers = {
    getPeerCertificate: {},
    getPeerX509Certificate: undefined,
    getX509Certificate: undefined,
    getCertificate: {},
    getCipher: { ...cipher, version: 'TLSv1.3' },
    getEphemeralKeyInfo: {},
    getFinished: undefined,
    getPeerFinished: undefined,
    getProtocol: 'TLSv1.3',
    getSession: undefined,
    getSharedSigalgs: [],
    getTLSTicket: undefined,
    isSessionReused: false,
    setServername: undefined,
    setSession: undefined,
    setMaxSendFragment: true,
    setKeyCert: undefined,
    enableTrace: undefined,
    disableRenegotiation: undefined,
  }
  return (methods ??= Object.assign(Object.create(prototype) as object, {
    ...Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, () => value])),
    renegotiate: (_: object, done?: (error: null) => void) => {
      if (done) timers.nextTick(done, null)
      return true
    },
  }))
}
