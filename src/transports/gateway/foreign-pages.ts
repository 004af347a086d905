import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../providers/providers.ts'

/** The refusals printed so far: each is printed once. */
const said = new Set<string>()

/**
 * Refuses a request that may come from a web page that somebody else made, and says so.
 *
 * @param origins of the pages that may ask
 * @param isProxied whether it was sent as to a proxy: then its host is the one that is meant
 * @returns the reason
 */
export function refuseForeignPage(
  headers: IncomingHttpHeaders,
  origins: readonly string[],
  isProxied: boolean = false,
): string | undefined {
  const why = whyForeign(isProxied ? { ...headers, host: undefined } : headers, origins)
  if (why !== undefined && !said.has(why)) console.warn(`[vitest-cassette] ${why}`)
  if (why !== undefined) said.add(why)
  return why
}

/** Every page can send to the loopback interface, under a name of its own too. */
function whyForeign(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  origins: readonly string[],
): string | undefined {
  if (host !== undefined && !isOfThisMachine(host))
    return `A request asked for the host ${host}, which is no name of this machine. It is not answered: a web page may have sent it.`
  if (origin !== undefined && origins.includes(origin)) return undefined
  // Browsers name the origin, but of pictures and links.
  if (origin === undefined && (site === undefined || site === 'none' || site === 'same-origin'))
    return undefined
  return `A web page${origin === undefined ? '' : ` of ${origin}`} sent a request, which is not answered.`
}

function isOfThisMachine(host: string): boolean {
  // Nothing but a name and a port: of `evil.example@127.0.0.1`, others read the first half.
  return (
    !/[@/?#\\]/.test(host) &&
    URL.canParse(`http://${host}`) &&
    isLoopback(new URL(`http://${host}`))
  )
}
