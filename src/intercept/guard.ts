import net from 'node:net'
import tls from 'node:tls'
import type { Connection } from './guard-policy.ts'

/** Decides on a connection: the error it fails with, or nothing. */
export type JudgeConnection = (connection: Connection) => Error | undefined

/** Where the judge of this process or thread is, for every copy of this package in it. */
const JUDGE = Symbol.for('vitest-cassette.guard')

/** What stands in the stack of a connection, and the name by which people know it. */
const TRANSPORTS: Array<[frame: RegExp, name: string]> = [
  [/internal\/deps\/undici/, 'fetch'],
  [/node_modules\/undici\//, 'undici'],
  [/node_modules\/@grpc\//, 'gRPC'],
  [/node:internal\/http2/, 'node:http2'],
  [/node:_http_client|node:https?:/, 'node:http'],
]

type Judged = NodeJS.Process & { [JUDGE]?: JudgeConnection }

/**
 * Guards the sockets of this process or thread: a connection that the judge refuses fails as one whose
 * host is not found. It lies below MSW, so that only connections come here that would really be made.
 */
export function guardSockets(judge: JudgeConnection): void {
  const guarded = process as Judged
  const known = guarded[JUDGE]
  guarded[JUDGE] = judge
  if (known) return
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const options = readOptions(args)
    const connection = options && connectionOf(this, options)
    const error = connection && (process as Judged)[JUDGE]!(connection)
    if (!error) return Reflect.apply(connect, this, args)
    // Failing where the name is looked up goes Node's own way; a destroyed socket is opened again for ever.
    const lookup: net.LookupFunction = (_host, _options, done) => void process.nextTick(done, error)
    return Reflect.apply(connect, this, [{ ...options, host: 'refused.invalid', lookup }])
  } as typeof connect
}

/** True as long as no other judge has taken the place of this one, as that of the tests does in their worker. */
export function isCurrentJudge(judge: JudgeConnection): boolean {
  return (process as Judged)[JUDGE] === judge
}

interface ConnectOptions {
  host?: string
  port?: number | string
  path?: string
  servername?: string
}

/** The arguments of `connect`, which come as the caller wrote them or already put in order by Node. */
function readOptions(args: unknown[]): ConnectOptions | undefined {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) return first
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first))
  return isPort
    ? { port: Number(first), host: typeof second === 'string' ? second : undefined }
    : undefined
}

/** `undefined` for what needs no judge: unix sockets, and sockets that MSW answers for. */
function connectionOf(
  socket: net.Socket,
  { host, port, path }: ConnectOptions,
): Connection | undefined {
  // MSW gives a socket that it has taken a `connect` of its own, and never lets it reach the network.
  if (path || port === undefined || Object.hasOwn(socket, 'connect')) return undefined
  return {
    host: host ?? 'localhost',
    port: Number(port),
    get transport() {
      return transportOf(socket)
    },
  }
}

function transportOf(socket: net.Socket): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error('connected here')
  Error.stackTraceLimit = stackTraceLimit
  const known = TRANSPORTS.find(([frame]) => frame.test(stack))
  return known?.[1] ?? (socket instanceof tls.TLSSocket ? 'node:tls' : 'node:net')
}
