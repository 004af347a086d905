import { isLoopback } from '../../../providers/providers.ts'
import { realNow } from '../../../real/clock.ts'

/** Errors of the network before anything of a server is seen. */
const CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
])

/** Milliseconds after which a host is tried again, in programs that go on for long. */
const TRY_AGAIN_MS = 60_000

/** Hosts that could not be reached, with the number of failures one after the other. */
const failed = new Map<string, { count: number; at: number; error: Error }>()

/**
 * The error of a host that could not be reached twice, the second time in a request that began after the first: it is
 * asked no more, since each SDK would try and wait for seconds. A server of this machine may only be slow to start.
 */
export function unreachable(url: string): Error | undefined {
  const known = failed.get(hostOf(url))
  if (!known || known.count < 2) return undefined
  return realNow() - known.at < TRY_AGAIN_MS ? known.error : undefined
}

/** Notes that a host could not be reached. `started` is the time at which the request began. */
export function noteUnreachable(url: string, error: Error, started: number): void {
  const { code } = (error.cause ?? {}) as { code?: string }
  if (!CODES.has(code ?? '') || isLoopback(new URL(url))) return
  const known = failed.get(hostOf(url))
  if (known && started < known.at) return
  failed.set(hostOf(url), { count: (known?.count ?? 0) + 1, at: realNow(), error })
}

/** Notes that a host was reached. */
export function noteReached(url: string): void {
  failed.delete(hostOf(url))
}

/** What the application gets in place of an answer. */
export function explainUnreachable(url: string): string {
  return `${hostOf(url)} cannot be reached, so it is asked no more. Record again when it can.`
}

function hostOf(url: string): string {
  return new URL(url).host
}
