import type { LookupFunction, Socket } from 'node:net'
import { captureCallSite } from '../../../errors.ts'
import { connectTarget, type ConnectTarget } from '../patch/connect-target.ts'
import type { Connection, JudgeConnection } from './guard-policy.ts'
import { timers } from '../../../real/clock.ts'

/**
 * The arguments in the place of those by which a socket connects where the judge refuses that; `undefined` where it does
 * not.
 */
export function refuseSocket(
  socket: Socket,
  args: unknown[],
  judge: JudgeConnection,
): unknown[] | undefined {
  const options = connectTarget(args)
  const connection = connectionOf(socket, options)
  if (!connection) return undefined
  const { servername } = options
  // A client can connect to a bare IP address, and name the host for TLS alone.
  const error =
    judge(connection) ?? (servername && judge({ ...connection, host: servername, isNamed: true }))
  if (!error) return undefined
  // A look-up that fails is an error that every client knows. Clients reopen a destroyed socket for ever.
  const lookup: LookupFunction = (_host, _options, done) => void timers.nextTick(done, error)
  return [{ ...options, host: 'refused.invalid', lookup }]
}

/** `undefined` for sockets that need no judge: unix sockets, and sockets that MSW has taken. */
function connectionOf(socket: Socket, { host, port, path }: ConnectTarget): Connection | undefined {
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
      timers.nextTick(() => {
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
