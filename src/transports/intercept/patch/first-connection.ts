import type { Socket } from 'node:net'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { isOutsideOfMsw } from './outside-of-msw.ts'
import { whenLoaded } from './when-loaded.ts'

/** A socket of TLS begins its handshake by a function that it hands to `connect`. */
type Connecting = Socket & { _start?: () => void }

/** A method that Node does not document. MSW takes the idle sockets of an agent away there. */
type Agent = { addRequest(...args: unknown[]): unknown }

/**
 * Opens the network of MSW right before the first connection, so it sees every connection, and a test without
 * connections does not pay for it. Repeats the call of `connect`, which the network has replaced by then. Returns a
 * function that ends the watch.
 */
export function atFirstConnection(open: () => void): () => void {
  let isOpen = false
  /**
   * Where the first connection leads, if a library such as nock has taken it before the network was open. What that lets
   * pass, it connects below the network, and so comes back here.
   */
  let taken: string | undefined
  const openOnce = (): boolean => {
    if (isOpen) return false
    isOpen = true
    try {
      open()
    } catch (error) {
      isOpen = false
      throw error
    }
    return true
  }
  const { Socket } = builtin('node:net')
  const restore = replaceOnce(Socket.prototype, 'connect', (connect) => {
    function watched(this: Connecting, ...args: unknown[]): Socket {
      const start = this._start
      if (isOutsideOfMsw()) return Reflect.apply(connect, this, args)
      const { host, port, path, lookup } = connectionOf(args)
      if (path) return Reflect.apply(connect, this, args)
      const target = `${host}:${port}`
      const isFirst = openOnce()
      const isTaken = lookup?.name === MOCKED
      if (isFirst && isTaken) taken = target
      if (isTaken || (!isFirst && taken !== target)) return Reflect.apply(connect, this, args)
      taken = undefined
      return Reflect.apply(this.connect, this, withHandshake(args, start, this._start))
    }
    return watched as typeof connect
  })
  // Agents keep sockets that may be older than this watch.
  const watchAgents = (): (() => void) => {
    const prototype = builtin('node:http').Agent.prototype as unknown as Agent
    return replaceOnce(prototype, 'addRequest', (addRequest) => {
      return function (this: Agent, ...args) {
        return !isOutsideOfMsw() && openOnce()
          ? this.addRequest(...args)
          : Reflect.apply(addRequest, this, args)
      }
    })
  }
  const cancel = whenLoaded(['node:http', 'node:https'], watchAgents, 'keeps exports')
  return () => {
    restore()
    cancel()
  }
}

/** How an interceptor of MSW's library names the look-up of a connection that it has taken. */
const MOCKED = 'mockLookup'

interface Options {
  host?: string
  port?: number | string
  /** That of a Unix socket or named pipe, which leads to no provider. */
  path?: string
  lookup?: { name?: unknown }
}

/** What a connection is opened with. Node hands it on in a list. */
function connectionOf([given]: unknown[]): Options {
  return Object(Array.isArray(given) ? given[0] : given) as Options
}

/** An interceptor of MSW's library that has taken a connection looks its name up itself. */
export function isMocked(args: unknown[]): boolean {
  return connectionOf(args).lookup?.name === MOCKED
}

/** Puts the handshake of the network in the place of the old one, by which the network recognises it. */
function withHandshake(args: unknown[], old: unknown, current: unknown): unknown[] {
  const [first] = args
  if (!old || !Array.isArray(first)) return args.map((one) => (one === old && old ? current : one))
  // Changes the array itself: Node has marked it as normalized.
  if (first[1] === old) first[1] = current
  return args
}
