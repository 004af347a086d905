import type { NetConnectOpts, Socket } from 'node:net'
import { builtin } from '../../../real/builtin.ts'
import { hostInUrl, hostToDial, nameToVerify } from './dial.ts'
import { outsideOfMsw } from './outside-of-msw.ts'
import { openTunnelFor, type OwnProxies } from './own-proxies.ts'
import { shared } from '../../../real/shared.ts'

/** The target of a connection that a dispatcher opens. */
interface Target {
  protocol: string
  hostname: string
  port: string
  servername?: string | null
  /** The protocol over TLS, by default that of HTTP/1. */
  alpn?: string
}

/** Milliseconds. Fetch waits as long for a connection. */
const PATIENCE = 10_000

const ours = shared('outside', () => new WeakSet<object>())

/** Whether a connection belongs to a recording, which needs no guard. */
export function isRecordingConnection(socket: object): boolean {
  return ours.has(socket)
}

/**
 * Opens a connection for a dispatcher, past MSW.
 *
 * @param own the proxies through which it leads
 */
export function connectOutside(
  target: Target,
  done: (error: Error | null, socket: Socket | null) => void,
  own?: OwnProxies,
): void {
  const { protocol, port } = target
  const isSecure = protocol === 'https:'
  const host = hostToDial(target)
  const to = { host, port: Number(port) || (isSecure ? 443 : 80) }
  const opening = own && openTunnelFor(new URL(`${protocol}//${hostInUrl(host)}:${to.port}`), own)
  const fail = (error: Error): void => done(error, null)
  if (!opening) return waitUntilConnected(outsideOfMsw(() => begin(target, to)))
  const goOn = (tunnel: Socket): void => {
    if (isSecure) return waitUntilConnected(begin(target, { ...to, socket: tunnel }))
    ours.add(tunnel)
    done(null, tunnel.setNoDelay(true))
  }
  opening.then(goOn).catch(fail)

  function waitUntilConnected(socket: Socket): void {
    ours.add(socket)
    const late = (): unknown =>
      socket.destroy(new Error(`${target.hostname} was not reached in time`))
    socket.setNoDelay(true)
    socket.setTimeout(PATIENCE, late)
    socket.once('error', fail)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0, late)
      socket.off('error', fail)
      done(null, socket)
    })
  }
}

function begin(
  { protocol, servername, alpn = 'http/1.1' }: Target,
  to: { host: string; socket?: Socket },
): Socket {
  if (protocol !== 'https:') return builtin('node:net').connect(to as NetConnectOpts)
  const name = servername || nameToVerify(to.host)
  return builtin('node:tls').connect({ ...to, servername: name, ALPNProtocols: [alpn] })
}
