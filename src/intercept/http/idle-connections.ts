import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { areTimersFaked } from '../patch/next-turn.ts'

/** What undici tells of a request, its own copy in Node included. */
interface Told {
  request: { origin?: string | URL; path: string; method: string }
}

/**
 * Closes the idle connections of fetch and of undici when a call is made while timers are faked: undici takes an
 * idle connection up by a timer, and would wait seconds, until the connection ends by itself. Returns what ends that.
 *
 * @param isLlmCall connections of all other requests are left alone.
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
      // HTTP/2 has several requests on one.
      if (!socket || socket.destroyed || [...running.values()].includes(socket)) return
      idle.add(socket)
      // One connection has many requests, one after the other.
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
