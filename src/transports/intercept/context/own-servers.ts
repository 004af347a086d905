import { matchesHost } from '../../../config/hosts.ts'
import { hostOf } from '../../../engine/gateways.ts'
import { isLoopback } from '../../../providers/providers.ts'
import { existsSync, readdirSync, readFileSync, readlinkSync } from '../../../real/files.ts'
import { realNow } from '../../../real/clock.ts'
import { loadLater } from '../../../real/load-later.ts'
import { shared } from '../../../real/shared.ts'
import { runInScope } from '../../scope.ts'
import { isNear } from './near.ts'
import { noted } from './note-listening.ts'
import { processOfRun } from './run-process.ts'
import type { Real } from './who-listens.ts'

// Few tests ask a server here by the path of a provider. The build has it as CommonJS, since the guards load it too.
const loadWhoListens = loadLater(
  './who-listens.cjs',
  import.meta.isBuilt ? undefined : () => import('./who-listens.ts'),
)

const own = shared('own-servers', () => ({
  /** The hosts, with their ports, at which it answers the requests of other processes. */
  gateways: new Set<string>(),
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

/**
 * An address at the gateway of another process: `vitest-cassette run --listen` inside of `vitest-cassette run`, for
 * instance. That answers it, and no cassette holds such an address. It has a token, and then the address that is meant.
 */
export const OTHER_GATEWAY: RegExp =
  /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?\/+[\w-]{16,}(?:\/+caught)?\/+(?:https?|wss?)\/+[^/]+\//i

/** Milliseconds for which a port at which nobody listens counts as one: another process takes longer to say that it does. */
const FREE_MS = 20

/** When nobody listened at a port. */
const free = new Map<number, number>()

/**
 * Whether a server of this run listens at an address, in whatever process: a gateway under test, a fake of a suite's own.
 * It is asked itself, since a cassette in its place would hide what it does. A local provider is started by others. A
 * host with its port in the option `hosts` is meant as a provider nevertheless.
 */
export function isOwnServer(address: string, hosts: readonly string[]): boolean {
  const url = isNear(address) ? URL.parse(address) : null
  if (!url) return false
  // Asked first: the kernel takes milliseconds to list its sockets.
  const named = hosts.filter((one) => /:\d+$/.test(one))
  if (matchesHost(url, named)) return false
  const number = Number(url.port) || (/^(?:https|wss):$/.test(url.protocol) ? 443 : 80)
  const isNoted = noted.ports?.includes(number) ?? false
  // One request asks this several times, and most requests follow another one.
  if (!isNoted && realNow() - (free.get(number) ?? -Infinity) < FREE_MS) return false
  const hex = number.toString(16).toUpperCase().padStart(4, '0')
  const row = new RegExp(`:${hex} [\\dA-F]+:0000 0A (?:\\S+ +){5}(\\d+)`, 'g')
  // Elsewhere no file tells them.
  const sockets: string[] | undefined = process.platform === 'linux' ? [] : undefined
  // A machine without IPv6 has but one of them.
  for (const file of sockets ? ['/proc/net/tcp', '/proc/net/tcp6'] : [])
    if (existsSync(file))
      for (const [, socket] of readFileSync(file, 'latin1').matchAll(row)) sockets!.push(socket!)
  if (!isNoted && sockets?.length === 0) {
    free.set(number, realNow())
    return false
  }
  const port = { url, number, sockets, isNoted, isLoopback: isLoopback(url), first: processOfRun() }
  return loadWhoListens().isOfRun(port, REAL)
}

const REAL: Real = {
  readdirSync,
  readFileSync,
  readlinkSync,
  outside: (start) => runInScope('upstream', start),
}
