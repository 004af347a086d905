import type { Socket } from 'node:dgram'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import { type Ask, type Asked, guardNames } from './guard-clients.ts'
import type { JudgeConnection } from './guard-policy.ts'
import { timers } from '../../../real/clock.ts'

/** All that a resolver can be asked for. */
const QUERIES =
  'lookup lookupService reverse resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTlsa resolveTxt'.split(
    ' ',
  )

/**
 * Guards the ways out that are no connection of a socket: questions to name servers, and datagrams. Where the network is
 * open, they pass. Returns what ends this.
 */
export function guardOtherWays(judge: JudgeConnection): () => void {
  const ends = [
    guardNames(judge, {
      names: QUERIES,
      ofResolvers: true,
    }),
    whenLoaded(['node:dgram'], () => guardDatagrams(judge), 'keeps exports'),
  ]
  return () => ends.forEach((end) => end())
}

function guardDatagrams(judge: JudgeConnection): () => void {
  const prototype = builtin('node:dgram').Socket.prototype as unknown as Asked
  const guard = (name: string, targetOf: (args: unknown[]) => unknown[]): (() => void) =>
    replaceOnce(
      prototype,
      name,
      (send) =>
        function (this: Socket, ...args) {
          const [port, host] = isConnected(this) ? [] : targetOf(args)
          const error =
            typeof host === 'string' && host !== ''
              ? judge({ host, port: Number(port), transport: 'node:dgram' })
              : undefined
          if (!error) return send.apply(this, args)
          const done = args.at(-1)
          timers.nextTick(() => {
            if (typeof done === 'function') done(error)
            // Clients of statistics listen for nothing, and would end the process.
            else if (this.listenerCount('error') > 0) this.emit('error', error)
          })
        } as Ask,
    )
  const ends = [
    guard('connect', (args) => args),
    // With an offset and a length, the port comes after them.
    guard('send', ([, second, third, port, host]) =>
      host || (port && typeof port !== 'function') ? [port, host] : [second, third],
    ),
  ]
  return () => ends.forEach((end) => end())
}

function isConnected(socket: Socket): boolean {
  try {
    return Boolean(socket.remoteAddress())
  } catch {
    return false
  }
}
