import type { Attempt } from '../attempt/attempt.ts'
import { CassetteError } from '../errors.ts'
import { answering } from './gateway/answering.ts'

// Pages and tools judge by addresses alone.
export {
  type HostOptions,
  isLlmSocket,
  judgeAddress,
  judgeUrl,
  sideRequestIn,
} from './intercept/call/judge-address.ts'

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

/**
 * The address at which an attempt answers for another one, for programs that do not read their base URL from the
 * environment.
 *
 * @throws CassetteError `refused` where no port can be opened, `invalid-option` for a text that is no address
 */
export function baseUrlFor(attempt: Attempt, upstream: string): string {
  if (!URL.canParse(upstream) || !/^https?:/.test(upstream))
    throw new CassetteError(
      'invalid-option',
      `baseUrl() takes the address that a program would ask, such as 'https://api.openai.com/v1', and got ${JSON.stringify(upstream)}.`,
    )
  if (attempt.config.mode === 'off') return upstream
  return addressAt(gatewayBaseFor(attempt), upstream)
}

/**
 * The base of all addresses at which an attempt answers.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export function gatewayBaseFor(attempt: Attempt): string {
  const gateway = answering.gateways?.for(attempt)
  if (gateway) return gateway.base
  throw new CassetteError(
    'refused',
    'No port can be opened here at which programs could be answered. Let this process listen on the loopback interface.',
  )
}

/**
 * The header by which a request to an app server names its test: the address of the gateway, with the token of the
 * test. The cookie of this name says the same in the handshake of a WebSocket, to which no browser before Chromium 151
 * adds headers.
 */
export const VISITOR_HEADER = 'x-vitest-cassette'

/** The variable with the options by which an app server recognises LLM calls, as JSON. `visitors.cjs` reads it. */
export const VISITORS_VARIABLE = 'VITEST_CASSETTE_VISITORS'
