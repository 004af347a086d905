import type { LookupFunction, Socket } from 'node:net'
import { captureCallSite } from '../../../errors.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { Connection, JudgeConnection } from './guard-policy.ts'

const net = builtin('node:net')

/** The judge of this process or thread, shared by all copies of this package. */
const guarded = shared<{ judge?: JudgeConnection }>('judge', () => ({}))

/** By this function, which Node does not document, each socket of TLS begins. */
interface NewTlsSocket {
  _init(...args: unknown[]): unknown
}

/** Guards the bytes on connections, and returns a function that ends this. */
export type GuardWires = (judge: JudgeConnection) => () => void

/**
 * Guards the sockets of this process or thread: a connection that the judge refuses fails as if its host were not
 * found. The guard lies below MSW, so it sees real connections only. Returns a function that ends this.
 *
 * @param wires loads the guard of their bytes, when the first connection is opened
 */
export function guardSockets(judge: JudgeConnection, wires: () => GuardWires): () => void {
  const { judge: known } = guarded
  guarded.judge = judge
  if (known) return () => void (guarded.judge = known)
  let endWires: (() => void) | undefined
  const openWires = (): void => {
    endWires ??= wires()((connection) => guarded.judge?.(connection))
  }
  // TLS can run over any stream: over a pipe to a child it writes to a provider without a connection of this process.
  const watchTls = (): (() => void) => {
    const { prototype } = builtin('node:tls').TLSSocket as unknown as { prototype: NewTlsSocket }
    return replaceOnce(prototype, '_init', (init) => {
      return function (this: unknown, ...args) {
        openWires()
        return Reflect.apply(init, this, args)
      }
    })
  }
  const endTls = whenLoaded(['node:tls'], watchTls, 'keeps exports')
  const { connect } = net.Socket.prototype
  const guardedConnect = function (this: Socket, ...args: unknown[]) {
    openWires()
    const options = readOptions(args)
    const connection = options && connectionOf(this, options)
    const error = connection && judgeNames(connection, options, guarded.judge!)
    if (!error) return Reflect.apply(connect, this, args)
    // A look-up that fails is an error that every client knows. Clients reopen a destroyed socket for ever.
    const lookup: LookupFunction = (_host, _options, done) => void process.nextTick(done, error)
    return Reflect.apply(connect, this, [{ ...options, host: 'refused.invalid', lookup }])
  } as typeof connect
  net.Socket.prototype.connect = guardedConnect
  return () => {
    endTls()
    endWires?.()
    guarded.judge = () => undefined
    if (net.Socket.prototype.connect !== guardedConnect) return
    net.Socket.prototype.connect = connect
    guarded.judge = undefined
  }
}

/** True until another judge takes its place, as the judge of the tests does in their worker. */
export function isCurrentJudge(judge: JudgeConnection): boolean {
  return guarded.judge === judge
}

interface ConnectOptions {
  host?: string
  port?: number | string
  path?: string
  servername?: string
}

/** A client can connect to a bare IP address, and name the host for TLS alone. */
function judgeNames(
  connection: Connection,
  { servername }: ConnectOptions,
  judge: JudgeConnection,
): Error | undefined {
  const error = judge(connection)
  return error || !servername ? error : judge({ ...connection, host: servername })
}

/** The arguments of `connect`: as the caller wrote them, or as Node has normalized them. */
function readOptions(args: unknown[]): ConnectOptions | undefined {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) return first
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first))
  return isPort
    ? { port: Number(first), host: typeof second === 'string' ? second : undefined }
    : undefined
}

/** `undefined` for sockets that need no judge: unix sockets, and sockets that MSW has taken. */
function connectionOf(
  socket: Socket,
  { host, port, path }: ConnectOptions,
): Connection | undefined {
  // A socket that MSW has taken has a `connect` of its own, and never reaches the network.
  if (path || port === undefined || Object.hasOwn(socket, 'connect')) return undefined
  return {
    host: host ?? 'localhost',
    port: Number(port),
    get transport() {
      return transportOf(socket)
    },
    ifAsked(then) {
      if (this.transport !== 'node:net') return then()
      process.nextTick(() => {
        if (socket.writableLength > 0 || socket.bytesWritten > 0) then()
      })
    },
  }
}

/** A frame in the stack of a socket's caller, and the usual name of the API that it belongs to. */
const TRANSPORTS: Array<[frame: RegExp, name: string]> = [
  [/internal\/deps\/undici/, 'fetch'],
  [/node_modules\/undici\//, 'undici'],
  [/node_modules\/@grpc\//, 'gRPC'],
  [/node:internal\/http2/, 'node:http2'],
  [/node:_http_(?:client|outgoing)|node:https?:/, 'node:http'],
]

/** The API by which a socket is used here. */
export function transportOf(socket: Socket): string {
  const { stack = '' } = captureCallSite('used here')
  const known = TRANSPORTS.find(([frame]) => frame.test(stack))
  return known?.[1] ?? ('encrypted' in socket ? 'node:tls' : 'node:net')
}
