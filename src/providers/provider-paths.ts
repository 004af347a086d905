import { isMcpAddress } from '../wire/mcp-address.ts'
import { DIALECT_PATHS, NAMING_PATH, TEXT_ERROR_PATH } from './tables/addresses.ts'

/** Methods with a body, which tells whether a request is an LLM call; gateways are not strict about methods. */
const METHODS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a request to a host of unknown kind may be an LLM call, judged without its body. It is one only if a
 * dialect other than `generic` then claims it. Every request is judged by this, so this loads no dialect.
 */
export function isProviderPath(method: string, url: URL): boolean {
  const { pathname } = url
  return METHODS.has(method.toUpperCase()) && DIALECT_PATHS.some((path) => path.test(pathname))
}

/**
 * Whether a model or one of its tools writes the answers of a URL, so that an address in them is plain text. In other
 * answers, such as that of a job, the client follows an address.
 */
export function isSaidByModel(url: URL): boolean {
  if (isMcpAddress(url.href)) return true
  return isProviderPath('POST', url) && !NAMING_PATH.test(url.pathname)
}

/** Whether a client expects an error at a URL to be a text, and not an object. */
export function isErrorText(url: URL): boolean {
  return TEXT_ERROR_PATH.test(url.pathname)
}
