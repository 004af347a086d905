import { addressAt } from '../address.ts'
import { readVisitor } from './read-visitor.ts'

/** The headers of a request, in the shapes in which servers give them. */
type RequestHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The base URL that an app server gives its SDK while it answers a request: at the gateway of the test that sent the
 * request, or without a test the address itself. A header can only name an address of this machine.
 *
 * @example
 * new OpenAI({ baseURL: baseUrlFrom(request.headers, 'https://api.openai.com/v1') })
 */
export function baseUrlFrom(headers: RequestHeaders, upstream: string): string {
  const base = readVisitor((name) =>
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Exclude<RequestHeaders, { get: unknown }>)[name],
  )
  return base === undefined ? upstream : addressAt(base, upstream)
}
