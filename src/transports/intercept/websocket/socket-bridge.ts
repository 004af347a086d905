import type { ClientRequest, RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { builtin, isLoaded, replaceOnce } from '../../../real/builtin.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { newDispatcher } from '../patch/dispatchers.ts'
import { currentScope } from '../../scope.ts'
import { newContext, type RequestContext } from '../context/request-context.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

/** The other end of the bridge. */
export interface SocketEntrance {
  /** Whether a socket to this address is a conversation with a model. */
  isLlmSocket(url: URL): boolean
  /** Opens a connection in memory to a server that answers. */
  connect(isSecure: boolean, context: RequestContext): Duplex
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
      (request as Request)(...(inRealWorld(() => bridgeUpgrade(args, protocol, entrance)) ?? args))
    return bridged as typeof request
  })
}

/** The arguments of a handshake to a model, with the connection in memory; `undefined` for all others. */
function bridgeUpgrade(
  args: unknown[],
  protocol: 'http:' | 'https:',
  entrance: SocketEntrance,
): unknown[] | undefined {
  const options = args.find(isOptions)
  if (!options || !isUpgrade(options)) return undefined
  const url = addressOf(args[0], options, protocol)
  if (currentScope() === 'upstream' || !entrance.isLlmSocket(url)) return undefined
  const context = newContext(`GET ${url.href}`)
  const createConnection = (): Duplex => entrance.connect(protocol === 'https:', context)
  const bridged = { ...options, agent: undefined, createConnection }
  return args.map((argument) => (argument === options ? bridged : argument))
}

function addressOf(first: unknown, options: RequestOptions, protocol: string): URL {
  if (typeof first === 'string' || first instanceof URL) return new URL(first)
  const { host, hostname, port, path = '/' } = options
  return new URL(`${protocol}//${host ?? hostname ?? 'localhost'}${port ? `:${port}` : ''}${path}`)
}

function isOptions(argument: unknown): argument is RequestOptions {
  return typeof argument === 'object' && argument !== null && !(argument instanceof URL)
}

function isUpgrade({ headers }: RequestOptions): boolean {
  const upgrade = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'upgrade')
  return String(upgrade?.[1]).toLowerCase() === 'websocket'
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
      const bridged = inRealWorld(() => bridgeArguments(args, entrance)) ?? args
      return Reflect.construct(target, bridged, newTarget) as object
    },
  })
}

function bridgeArguments(
  [address, given]: [string | URL, unknown?],
  entrance: SocketEntrance,
): unknown[] | undefined {
  const text = String(address).replace(/^ws/, 'http')
  if (!URL.canParse(text) || currentScope() === 'upstream') return undefined
  const url = new URL(text)
  if (!entrance.isLlmSocket(url)) return undefined
  const isSecure = url.protocol === 'https:'
  const context = newContext(`GET ${url.href}`)
  const connect = (_options: object, done: (error: null, socket: object) => void): void => {
    // undici expects the connection in a later turn.
    process.nextTick(done, null, entrance.connect(isSecure, context))
  }
  const dispatcher = newDispatcher({ connect })
  const isPlain = typeof given === 'string' || Array.isArray(given)
  return [address, { ...(isPlain ? { protocols: given } : (given as object)), dispatcher }]
}
