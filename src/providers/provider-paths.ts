import { isMcpAddress } from '../wire/mcp-address.ts'
import { PROVIDERS } from './catalogue.ts'

/**
 * The paths of a dialect on any host, by the name of the dialect. Every request is judged by them, even in a test
 * without a model, so this loads no dialect.
 */
export const providerPaths: Readonly<Record<string, RegExp>> = Object.assign(
  {},
  ...Object.values(PROVIDERS).map(({ paths }) => paths),
)

const patterns = Object.values(providerPaths)

/** Methods with a body, which tells whether a request is an LLM call; gateways are not strict about methods. */
const METHODS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a request to a host of unknown kind may be an LLM call, judged without its body. It is one only if a
 * dialect other than `generic` then claims it.
 */
export function isProviderPath(method: string, url: URL): boolean {
  return METHODS.has(method.toUpperCase()) && patterns.some((path) => path.test(url.pathname))
}

/** Paths whose answers hold the address of a job or of a file, which the client asks next. */
const NAMING = Object.values(PROVIDERS).flatMap(({ jobs = [] }) => jobs)

/**
 * Whether a model or one of its tools writes the answers of a URL, so that an address in them is plain text. In other
 * answers, such as that of a job, the client follows an address.
 */
export function isSaidByModel(url: URL): boolean {
  if (isMcpAddress(url.href)) return true
  return isProviderPath('POST', url) && !NAMING.some((path) => path.test(url.pathname))
}

const TEXT_ERRORS = Object.values(PROVIDERS).flatMap(({ textErrors }) => textErrors ?? [])

/** Whether a client expects an error at a URL to be a text, and not an object. */
export function isErrorText(url: URL): boolean {
  return TEXT_ERRORS.some((path) => path.test(url.pathname))
}
