/** The parts of an address at the gateway. */
export interface GatewayAddress {
  /** Identifies the attempt; `''` where the gateway has a single cassette. */
  token: string
  /** The address for which the program meant it. */
  url: string
  /** Whether it was caught on its way to any host: its path and body then tell whether it is an LLM call. */
  isCaught: boolean
}

/** Follows the base in addresses of requests that were caught. */
const CAUGHT = '/caught'

/** The address at the gateway for a request that was caught on its way to another host. */
export function addressOfCaught(base: string, url: string): string {
  const meant = new URL(url)
  return `${base}${CAUGHT}/${meant.protocol.slice(0, -1)}/${meant.host}${meant.pathname}${meant.search}`
}

/**
 * The address at which the gateway answers for another one: `http://127.0.0.1:4242/<token>/https/api.openai.com/v1`.
 * It holds everything that the gateway has to know, so a program needs nothing but this base URL.
 *
 * @param base the gateway, with the token of the attempt
 */
export function addressAt(base: string, upstream: string): string {
  const { protocol, host, pathname, search } = new URL(upstream)
  // Programs append their path, and few check for a slash.
  const path = pathname.replace(/\/$/, '')
  return `${base}/${protocol.slice(0, -1)}/${host}${path}${search}`
}

/** Reads the path of a request to the gateway; `undefined` where it holds no address. */
export function readAddress(path: string): GatewayAddress | undefined {
  const [, token = '', caught, scheme, host, rest = ''] =
    /^(?:\/+([\w-]+))??(\/+caught)?\/+(https?|wss?)\/+([^/?#]+)(.*)$/.exec(path) ?? []
  if (scheme === undefined || host === undefined) return undefined
  const url = `${scheme}://${decode(host)}${rest}`
  return URL.canParse(url) ? { token, url, isCaught: caught !== undefined } : undefined
}

/** The path of a request to a server at this origin, which a program can also ask as its proxy. */
export function pathAt(origin: string | undefined, url: string): string {
  return origin !== undefined && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

/** Replaces the gateway's addresses in a text by the original ones: a cassette keeps nothing of this run. */
export function withoutGateway(text: string, base: string): string {
  return ['https', 'http'].reduce(
    (kept, scheme) => kept.replaceAll(`${base}/${scheme}/`, `${scheme}://`),
    text,
  )
}

/** Some clients percent-encode the colon before a port. */
function decode(host: string): string {
  try {
    return decodeURIComponent(host)
  } catch {
    return host
  }
}
