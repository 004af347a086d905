/** Whom a request to the gateway is meant for. */
export interface Asked {
  /** Whose it is; `''` where the gateway has one cassette alone. */
  token: string
  /** Where it was meant to go. */
  url: string
  /** It was caught on its way to any host: what it asks tells whether it is an LLM call. */
  isCaught: boolean
}

/** What stands behind the base of addresses for requests that were caught. */
const CAUGHT = '/caught'

/** The address for a request that was made to another one, and is brought here by who caught it. */
export function addressOfCaught(base: string, url: string): string {
  const meant = new URL(url)
  return `${base}${CAUGHT}/${meant.protocol.slice(0, -1)}/${meant.host}${meant.pathname}${meant.search}`
}

/**
 * The address at which the gateway answers for another one: `http://127.0.0.1:4242/<token>/https/api.openai.com/v1`.
 * All that there is to know stands in it, so that a program needs nothing but its base URL.
 *
 * @param base the gateway, and whose requests come by the address
 */
export function addressAt(base: string, upstream: string): string {
  const { protocol, host, pathname, search } = new URL(upstream)
  // Programs put their path behind it, and few look whether a slash is there.
  const path = pathname.replace(/\/$/, '')
  return `${base}/${protocol.slice(0, -1)}/${host}${path}${search}`
}

/** Reads the path of a request to the gateway; `undefined` where it names no other address. */
export function readAddress(path: string): Asked | undefined {
  const [, token = '', caught, scheme, host, rest = ''] =
    /^(?:\/+([\w-]+))??(\/+caught)?\/+(https?|wss?)\/+([^/?#]+)(.*)$/.exec(path) ?? []
  if (scheme === undefined || host === undefined) return undefined
  const url = `${scheme}://${decode(host)}${rest}`
  return URL.canParse(url) ? { token, url, isCaught: caught !== undefined } : undefined
}

/** A text with the addresses that were meant in the place of the gateway's: nothing of this run is to be kept. */
export function withoutGateway(text: string, base: string): string {
  return ['https', 'http'].reduce(
    (kept, scheme) => kept.replaceAll(`${base}/${scheme}/`, `${scheme}://`),
    text,
  )
}

/** Clients write the colon before a port in more than one way. */
function decode(host: string): string {
  try {
    return decodeURIComponent(host)
  } catch {
    return host
  }
}
