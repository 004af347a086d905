import type { Socket } from 'node:net'
import { isLoopback } from '../../../providers/providers.ts'
import { hostOf } from '../../../engine/gateways.ts'
import { shared } from '../../../real/shared.ts'

const own = shared('own-servers', () => ({
  /** The hosts, with their ports, at which it answers the requests of other processes. */
  gateways: new Set<string>(),
  /** The ports at which its servers have got requests. */
  ports: new Set<string>(),
}))

/** Notes the origin of a gateway of this process. Returns a function that ends this. */
export function noteGateway(origin: string): () => void {
  const host = hostOf(origin)
  own.gateways.add(host)
  return () => own.gateways.delete(host)
}

/** Whether a gateway of this process answers at an address. Requests to it pass, and are judged there. */
export function isOwnGateway(url: string): boolean {
  return own.gateways.size > 0 && own.gateways.has(hostOf(url))
}

/** Whether processes that this one has started may serve too: they were given the address of a gateway. */
export function servesChildren(): boolean {
  return own.gateways.size > 0
}

/**
 * An address at the gateway of another process: `vitest-cassette serve` inside of `vitest-cassette run`, for instance. That
 * answers it, and no cassette holds such an address. It has a token, and then the address that is meant.
 */
export const OTHER_GATEWAY: RegExp =
  /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?\/+[\w-]{16,}(?:\/+caught)?\/+(?:https?|wss?)\/+[^/]+\//i

/** Notes the port of a server of this process that gets a request. */
export function noteServed({ localPort }: Socket): void {
  own.ports.add(String(localPort))
}

/** Whether a server of this process, which has got a request before, answers at an address. */
export function isServedHere(url: URL): boolean {
  return own.ports.size > 0 && isLoopback(url) && own.ports.has(url.port)
}
