import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { areTimersFaked } from '../patch/next-turn.ts'

/** The messages of undici's diagnostics channels, also of Node's own copy. */
interface Told {
  request: { origin?: string | URL; path: string; method: string }
}

/**
 * Closes the idle connections of fetch and of undici at a call while timers are faked: undici needs a timer to use an
 * idle connection again, and would wait seconds until the connection ends by itself. Returns a function that ends
 * this.
 *
 * @param isLlmCall leaves the connections of all other requests alone
 */
export function closeIdleConnections(
  isLlmCall: (method: string, url: string) => boolean,
): () => void {
  const running = new Map<object, Socket>()
  const idle = new Set<Socket>()
  const watched = new WeakSet<Socket>()
  const isCall = ({ origin, path, method }: Told['request']): boolean =>
    isLlmCall(method, String(origin) + path)
  const listeners: Record<string, (told: never) => void> = {
    'undici:client:sendHeaders': ({ request, socket }: Told & { socket: Socket }) => {
      if (!isCall(request)) return
      running.set(request, socket)
      idle.delete(socket)
    },
    'undici:request:trailers': ({ request }: Told) => {
      const socket = running.get(request)
      running.delete(request)
      // HTTP/2 runs several requests on one connection.
      if (!socket || socket.destroyed || [...running.values()].includes(socket)) return
      idle.add(socket)
      // One connection serves many requests in turn.
      if (watched.has(socket)) return
      watched.add(socket)
      socket.once('close', () => idle.delete(socket))
    },
    'undici:request:error': ({ request }: Told) => running.delete(request),
    'undici:request:create': ({ request }: Told) => {
      if (idle.size === 0 || !areTimersFaked() || !isCall(request)) return
      for (const socket of idle) socket.destroy()
      idle.clear()
    },
  }
  const entries = Object.entries(listeners) as Array<[string, (told: unknown) => void]>
  for (const [channel, listener] of entries) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener)
  }
}
