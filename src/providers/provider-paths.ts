import { isMcpAddress } from '../wire/address.ts'
import { DIALECT_PATHS, NAMING_PATH, OTHER_PATHS, TEXT_ERROR_PATH } from './tables/addresses.ts'

/** Methods that send a prompt; gateways are not strict about methods. */
const METHODS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a request is an LLM call on a host of unknown kind. Its body decides nothing: a request with an empty prompt,
 * or in a format that nobody here can read, is sent to a model all the same. Every request is judged by this, so this
 * loads no dialect.
 */
export function isProviderPath(method: string, url: URL): boolean {
  if (!METHODS.has(method.toUpperCase())) return false
  const { pathname } = url
  for (const path of DIALECT_PATHS) if (path.test(pathname)) return true
  for (const path of OTHER_PATHS) if (path.test(pathname)) return true
  return false
}

/**
 * Whether a model or one of its tools writes the answers of a URL, so that an address in them is plain text. In other
 * answers, such as that of a job, the client follows an address.
 */
export function isSaidByModel(url: URL): boolean {
  if (isMcpAddress(url.href)) return true
  const { pathname } = url
  return DIALECT_PATHS.some((path) => path.test(pathname)) && !NAMING_PATH.test(pathname)
}

/** Whether a client expects an error at a URL to be a text, and not an object. */
export function isErrorText(url: URL): boolean {
  return TEXT_ERROR_PATH.test(url.pathname)
}
