import type { Socket } from 'node:net'
import type { Listeners, UndiciRequest } from '../patch/channels.ts'
import { areTimersFaked } from '../../../real/clock.ts'

interface Message {
  request: UndiciRequest
}

/**
 * What closes the idle connections of fetch and of undici at a call while timers are faked: undici needs a timer to use an
 * idle connection again, and would wait seconds until the connection ends by itself.
 *
 * @param isLlmCall leaves the connections of all other requests alone
 */
export function idleListeners(isLlmCall: (method: string, url: string) => boolean): Listeners {
  const running = new Map<object, Socket>()
  const idle = new Set<Socket>()
  const watched = new WeakSet<Socket>()
  const isCall = ({ origin, path, method }: UndiciRequest): boolean =>
    isLlmCall(method, String(origin) + path)
  return {
    'undici:client:sendHeaders': ({ request, socket }: Message & { socket: Socket }) => {
      // A connection that becomes a socket is never idle.
      if (request.upgrade || !isCall(request)) return
      running.set(request, socket)
      idle.delete(socket)
    },
    'undici:request:trailers': ({ request }: Message) => {
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
    'undici:request:error': ({ request }: Message) => running.delete(request),
    'undici:request:create': ({ request }: Message) => {
      if (idle.size === 0 || !areTimersFaked() || !isCall(request)) return
      for (const socket of idle) socket.destroy()
      idle.clear()
    },
  }
}
