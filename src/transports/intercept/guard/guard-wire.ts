import type { Socket } from 'node:net'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { isRecordingConnection } from '../patch/connect-outside.ts'
import type { JudgeConnection } from './guard-policy.ts'
import { bytesOf, WireReader, type WireEvent } from '../call/read-wire.ts'
import { REFUSAL_HEADERS, refusalBody } from '../../refuse.ts'
import { transportOf } from './refuse-socket.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

/** Fields of a socket that Node does not document. */
type Wired = Omit<Socket, '_writeGeneric'> & {
  _handle?: { readStop?(): void } | null
  _host?: string | null
  _tlsOptions?: { isServer?: boolean }
  _parent?: object | null
  _writeGeneric: Write
  encrypted?: boolean
  server?: object | null
  servername?: string | false
}

type Write = (isMany: boolean, data: unknown, encoding: unknown, done: () => void) => void

/** One connection, which several sockets can share. */
interface Wire {
  reader: WireReader
  held: Buffer[]
  isRefused: boolean
}

/**
 * Guards the bytes on connections: the host that a client wants from a proxy, the host that a request names, and the
 * request itself. The address of a connection tells none of these. Returns a function that ends this.
 */
export function guardWires(judge: JudgeConnection): () => void {
  const wires: WeakMap<object, Wire | 'not ours'> = new WeakMap()
  const { prototype } = builtin('node:net').Socket as unknown as { prototype: Wired }
  const undo = [
    // Every write of a connected socket goes through this function.
    replaceOnce(
      prototype,
      '_writeGeneric',
      (write) =>
        function (this: Wired, ...args) {
          const isOpen = !this.connecting && !isRecordingConnection(this)
          const wire = isOpen ? wireOf(this, wires) : undefined
          if (!wire || wire.reader.isDone) return write.apply(this, args)
          const [isMany, data, encoding, done] = args
          if (!wire.isRefused) {
            const [bytes, events] = inRealWorld(() => {
              const bytes = bytesOf(isMany, data, encoding)
              return [bytes, [...wire.reader.read(bytes)]] as const
            })
            for (const event of events) {
              const transport = (): string => (event.kind === 'way' ? 'a proxy' : transportOf(this))
              const error = judge({
                ...event,
                get transport() {
                  return transport()
                },
              })
              if (error) return refuse(this, wire, event, error, done)
            }
            const { held, reader } = wire
            if (!reader.isHolding && held.length === 0) return write.apply(this, args)
            held.push(bytes)
            if (!reader.isHolding)
              return write.call(this, false, Buffer.concat(held.splice(0)), 'buffer', done)
          }
          done()
        },
    ),
    whenLoaded(['node:tls'], () => guardServerNames(judge)),
  ]
  return () => undo.forEach((end) => end())
}

/** Guards TLS over a stream that the program brings along. Only the handshake names its host. */
function guardServerNames(judge: JudgeConnection): () => void {
  const { TLSSocket } = builtin('node:tls')
  return replaceOnce(
    TLSSocket.prototype as unknown as { setServername(name: string): void },
    'setServername',
    (set) =>
      function (this: Wired, name) {
        const error =
          this._parent &&
          judge({ host: name, port: this.remotePort ?? 443, transport: 'node:tls', isNamed: true })
        if (error) this.destroy(error)
        else set.call(this, name)
      },
  )
}

/**
 * The wire of a socket; `undefined` for connections that this process did not open, and for those without a remote
 * address.
 */
function wireOf(socket: Wired, wires: WeakMap<object, Wire | 'not ours'>): Wire | undefined {
  const { _handle: handle } = socket
  if (!handle) return undefined
  let wire = wires.get(handle)
  if (!wire) wires.set(handle, (wire = newWire(socket) ?? 'not ours'))
  return wire === 'not ours' ? undefined : wire
}

function newWire(socket: Wired): Wire | undefined {
  const isSecure = socket.encrypted === true
  const { remoteAddress, remotePort = 443 } = socket
  if (socket.server || socket._tlsOptions?.isServer || !(remoteAddress ?? isSecure))
    return undefined
  const host = socket.servername || socket._host || remoteAddress || 'localhost'
  const reader = new WireReader({ host, port: remotePort, isSecure })
  return { reader, held: [], isRefused: false }
}

/**
 * Answers in the place of the server, with a response that no client retries. SOCKS has no such answer: the connection
 * breaks.
 */
function refuse(socket: Wired, wire: Wire, event: WireEvent, error: Error, done: () => void): void {
  wire.isRefused = true
  wire.held = []
  done()
  if (event.kind === 'way' && event.by === 'SOCKS') return void socket.destroy(error)
  const [status, body, headers] =
    event.kind === 'way'
      ? ['403 Refused by vitest-cassette', '', {}]
      : ['400 Bad Request', JSON.stringify(refusalBody(event.url, error.message)), REFUSAL_HEADERS]
  const fields = {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  setImmediate(() => {
    socket._handle?.readStop?.()
    socket.push(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
    socket.push(null)
  })
}
