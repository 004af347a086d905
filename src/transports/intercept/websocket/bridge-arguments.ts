import type { RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentScope } from '../../scope.ts'
import { newContext } from '../context/request-context.ts'
import { hostInUrl } from '../patch/dial.ts'
import { newDispatcher } from '../patch/own-dispatcher.ts'
import type { SocketEntrance } from './socket-bridge.ts'

type Entrance = Pick<SocketEntrance, 'isLlmSocket' | 'connect'>

/** The arguments of a handshake to a model, with the connection in memory; `undefined` for all others. */
export function bridgeUpgrade(
  args: unknown[],
  protocol: 'http:' | 'https:',
  entrance: Entrance,
): unknown[] | undefined {
  const options = args.find(isRequestOptions)
  if (!options || !isUpgrade(options)) return undefined
  const url = addressOfRequest(args[0], options, protocol)
  if (currentScope() === 'upstream' || !entrance.isLlmSocket(url)) return undefined
  const context = newContext(`GET ${url.href}`)
  const createConnection = (): Duplex => entrance.connect(url, context)
  const bridged = { ...options, agent: undefined, createConnection }
  return args.map((argument) => (argument === options ? bridged : argument))
}

/** The address of a request of `node:http`, by its first argument and its options. */
export function addressOfRequest(first: unknown, options: RequestOptions, protocol: string): URL {
  if (typeof first === 'string' || first instanceof URL) return new URL(first)
  const { host, hostname, port, path = '/' } = options
  const name = (hostname || host) ?? 'localhost'
  const named = name.startsWith('[') ? name : hostInUrl(name)
  return new URL(`${protocol}//${named}${port ? `:${port}` : ''}${path}`)
}

export function isRequestOptions(argument: unknown): argument is RequestOptions {
  return typeof argument === 'object' && argument !== null && !(argument instanceof URL)
}

function isUpgrade({ headers }: RequestOptions): boolean {
  const upgrade = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'upgrade')
  return String(upgrade?.[1]).toLowerCase() === 'websocket'
}

/** The arguments of a WebSocket to a model, with the connection in memory; `undefined` for all others. */
export function bridgeArguments(
  [address, given]: [string | URL, unknown?],
  entrance: Entrance,
): unknown[] | undefined {
  const text = String(address).replace(/^ws/, 'http')
  if (!URL.canParse(text) || currentScope() === 'upstream') return undefined
  const url = new URL(text)
  if (!entrance.isLlmSocket(url)) return undefined
  const context = newContext(`GET ${url.href}`)
  const connect = (_options: object, done: (error: null, socket: object) => void): void => {
    // undici expects the connection in a later turn.
    process.nextTick(done, null, entrance.connect(url, context))
  }
  const dispatcher = newDispatcher({ connect })
  const isPlain = typeof given === 'string' || Array.isArray(given)
  return [address, { ...(isPlain ? { protocols: given } : (given as object)), dispatcher }]
}
