import { hostOf } from '../../engine/gateways.ts'
import { shared } from '../patch/shared.ts'

/** The hosts, with their ports, at which this process answers the requests of other processes. */
const hosts = shared('own-gateways', () => new Set<string>())

/** Notes the origin of a gateway of this process. Returns a function that ends this. */
export function noteGateway(origin: string): () => void {
  const host = hostOf(origin)
  hosts.add(host)
  return () => hosts.delete(host)
}

/** Whether a gateway of this process answers at an address. Requests to it pass, and are judged there. */
export function isOwnGateway(url: string): boolean {
  return hosts.size > 0 && hosts.has(hostOf(url))
}
