import type { Socket } from 'node:net'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { JudgeConnection } from './guard-policy.ts'
import type { refuseSocket } from './refuse-socket.ts'

const net = builtin('node:net')

/** The judge of this process or thread, shared by all copies of this package. */
export const guarded = shared<{ judge?: JudgeConnection }>('judge')

/** By this function, which Node does not document, each socket of TLS begins. */
interface NewTlsSocket {
  _init(...args: unknown[]): unknown
}

/** What guards connections. */
export interface ConnectionGuard {
  /** Guards the bytes on connections, and returns a function that ends this. */
  guardWires: (judge: JudgeConnection) => () => void
  refuseSocket: typeof refuseSocket
}

/**
 * Guards the sockets of this process or thread: a connection that the judge refuses fails as if its host were not
 * found. The guard lies below MSW, so it sees real connections only. Returns a function that ends this.
 *
 * @param load loads what judges them and their bytes, when the first connection is opened
 */
export function guardSockets(judge: JudgeConnection, load: () => ConnectionGuard): () => void {
  const { judge: known } = guarded
  guarded.judge = judge
  if (known) return () => void (guarded.judge = known)
  let endWires: (() => void) | undefined
  const openWires = (): void => {
    endWires ??= load().guardWires((connection) => guarded.judge?.(connection))
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
    const refused = load().refuseSocket(this, args, guarded.judge!)
    return Reflect.apply(connect, this, refused ?? args)
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
