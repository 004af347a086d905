import type { LookupFunction, Socket } from 'node:net'
import { builtin } from '../patch/builtin.ts'
import type { Connection, JudgeConnection } from './guard-policy.ts'
import { guardWires } from './guard-wire.ts'
import { transportOf } from '../call/transport.ts'

const net = builtin('node:net')

/** Where the judge of this process or thread is, for every copy of this package in it. */
const JUDGE = Symbol.for('vitest-cassette.guard')

type Judged = NodeJS.Process & { [JUDGE]?: JudgeConnection }

/**
 * Guards the sockets of this process or thread: a connection that the judge refuses fails as one whose
 * host is not found. It lies below MSW, so that only connections come here that would really be made.
 * Returns what ends it.
 */
export function guardSockets(judge: JudgeConnection): () => void {
  const guarded = process as Judged
  const known = guarded[JUDGE]
  guarded[JUDGE] = judge
  if (known) return () => void (guarded[JUDGE] = known)
  const { connect } = net.Socket.prototype
  const guardedConnect = function (this: Socket, ...args: unknown[]) {
    const options = readOptions(args)
    const connection = options && connectionOf(this, options)
    const error = connection && judgeNames(connection, options, (process as Judged)[JUDGE]!)
    if (!error) return Reflect.apply(connect, this, args)
    // Failing where the name is looked up goes Node's own way; a destroyed socket is opened again for ever.
    const lookup: LookupFunction = (_host, _options, done) => void process.nextTick(done, error)
    return Reflect.apply(connect, this, [{ ...options, host: 'refused.invalid', lookup }])
  } as typeof connect
  net.Socket.prototype.connect = guardedConnect
  const endWires = guardWires((connection) => (process as Judged)[JUDGE]?.(connection))
  return () => {
    endWires()
    guarded[JUDGE] = () => undefined
    if (net.Socket.prototype.connect !== guardedConnect) return
    net.Socket.prototype.connect = connect
    delete guarded[JUDGE]
  }
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

/** A host can be named for TLS alone, beside an address that says nothing. */
function judgeNames(
  connection: Connection,
  { servername }: ConnectOptions,
  judge: JudgeConnection,
): Error | undefined {
  const error = judge(connection)
  return error || !servername ? error : judge({ ...connection, host: servername })
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
  socket: Socket,
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
    ifAsked(then) {
      if (this.transport !== 'node:net') return then()
      process.nextTick(() => {
        if (socket.writableLength > 0 || socket.bytesWritten > 0) then()
      })
    },
  }
}
