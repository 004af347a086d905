import type { ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { builtin, isLoaded, replaceOnce } from '../../../real/builtin.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import type { RequestContext } from '../context/request-context.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { bridgeArguments, bridgeUpgrade } from './bridge-arguments.ts'

/** The other end of the bridge. */
export interface SocketEntrance {
  /** Whether a socket to this address is a conversation with a model. */
  isLlmSocket(url: URL): boolean
  /** Opens a connection in memory to a server that answers in the place of the one at this address. */
  connect(url: URL, context: RequestContext): Duplex
  /** Loads what reads the arguments of clients. */
  connections(): { bridgeArguments: typeof bridgeArguments; bridgeUpgrade: typeof bridgeUpgrade }
}

type Request = (...args: unknown[]) => ClientRequest

/**
 * Bridges WebSockets to the handler: the handshake of a client gets an in-memory connection instead of a socket. MSW
 * answers the handshake of the `ws` package, but carries no messages. Returns a function that removes the bridge.
 */
export function bridgeSockets(entrance: SocketEntrance): () => void {
  const undo = [
    whenLoaded(['node:http'], () => bridgeRequests('node:http', entrance)),
    whenLoaded(['node:https'], () => bridgeRequests('node:https', entrance)),
    bridgeGlobal(entrance),
  ]
  return () => undo.forEach((end) => end())
}

function bridgeRequests(name: 'node:http' | 'node:https', entrance: SocketEntrance): () => void {
  const protocol = name === 'node:http' ? 'http:' : 'https:'
  return replaceOnce(builtin(name), 'request', (request) => {
    const bridged: Request = (...args) =>
      (request as Request)(
        ...(inRealWorld(() => entrance.connections().bridgeUpgrade(args, protocol, entrance)) ??
          args),
      )
    return bridged as typeof request
  })
}

/** Bridges the global WebSocket: Node's own takes a dispatcher, and that of a DOM environment uses `ws`. */
function bridgeGlobal(entrance: SocketEntrance): () => void {
  const known = 'window' in globalThis ? undefined : knownWebSocket()
  if (!known?.configurable) return () => {}
  let bridged: typeof WebSocket | undefined
  const read = (): typeof WebSocket => (known.get ? known.get.call(globalThis) : known.value)
  const define = (): void => {
    Object.defineProperty(globalThis, 'WebSocket', {
      configurable: true,
      enumerable: known.enumerable ?? false,
      get() {
        if (!bridged) {
          // Read at its first use, since reading it loads a part of Node that most tests never need.
          bridged = bridgeClass(read(), entrance)
          // In a vm pool, Node replaces the property by its own class when it is read.
          define()
        }
        return bridged
      },
      set(value: typeof WebSocket) {
        bridged = value
      },
    })
  }
  // An assignment would make Node load the class.
  Reflect.deleteProperty(globalThis, 'WebSocket')
  define()
  return () => void Object.defineProperty(globalThis, 'WebSocket', known)
}

/** The property of the class; `undefined` while Node has not loaded its client, since a look would load it. */
function knownWebSocket(): PropertyDescriptor | undefined {
  const isUntouched = 'WebSocket' in globalThis && !isLoaded('node:internal/deps/undici/undici')
  if (!isUntouched) return Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
  const read = (): unknown => builtin('node:http').WebSocket
  return { configurable: true, enumerable: false, get: read }
}

function bridgeClass(Native: typeof WebSocket, entrance: SocketEntrance): typeof WebSocket {
  return new Proxy(Native, {
    construct(target, args: [string | URL, unknown?], newTarget) {
      const bridged =
        inRealWorld(() => entrance.connections().bridgeArguments(args, entrance)) ?? args
      return Reflect.construct(target, bridged, newTarget) as object
    },
  })
}
