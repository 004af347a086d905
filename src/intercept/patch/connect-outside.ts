import type { Socket } from 'node:net'
import { builtin } from './builtin.ts'
import { outsideOfMsw } from './outside-of-msw.ts'
import { shared } from './shared.ts'

/** Where a dispatcher wants a connection to. */
interface Target {
  protocol: string
  hostname: string
  port: string
  servername?: string | null
}

/** Milliseconds, as fetch waits for a connection. */
const PATIENCE = 10_000

const ours = shared('outside', () => new WeakSet<object>())

/** Whether only recording sends on a connection, which nobody has to guard. */
export function isRecordingConnection(socket: object): boolean {
  return ours.has(socket)
}

/** Opens a connection for a dispatcher that MSW does not see. */
export function connectOutside(
  { protocol, hostname, port, servername }: Target,
  done: (error: Error | null, socket: Socket | null) => void,
): void {
  const isSecure = protocol === 'https:'
  const target = { host: hostname, port: Number(port) || (isSecure ? 443 : 80) }
  const socket = outsideOfMsw(() => {
    const { connect, isIP } = builtin('node:net')
    if (!isSecure) return connect(target)
    const name = servername || (isIP(hostname) === 0 ? hostname : '')
    const secure = { ...target, servername: name, ALPNProtocols: ['http/1.1'] }
    return builtin('node:tls').connect(secure)
  })
  ours.add(socket)
  const fail = (error: Error): void => done(error, null)
  const late = (): unknown => socket.destroy(new Error(`${hostname} was not reached in time`))
  socket.setNoDelay(true)
  socket.setTimeout(PATIENCE, late)
  socket.once('error', fail)
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    socket.setTimeout(0, late)
    socket.off('error', fail)
    done(null, socket)
  })
}
