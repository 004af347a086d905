import { web } from '../../../real/web.ts'
import type { NamedHeaders } from '../../../wire/message.ts'

/** The part of a request that is known before its body is read. */
interface Asking {
  method: string
  headers: NamedHeaders
}

/**
 * The answer to a CORS preflight of a DOM environment; `undefined` for other requests. The method is enough to know
 * one: no provider uses it, and the environment hides the headers of a preflight.
 */
export function answerPreflight({ method, headers }: Asking): Response | undefined {
  if (method !== 'OPTIONS' || hasBody(headers)) return undefined
  return new web.Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': '*',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
    },
  })
}

/** A preflight has no body. */
function hasBody(headers: NamedHeaders): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || Boolean(headers.get('transfer-encoding'))
}

/** The method of a request, or of the one that a preflight is most likely about. */
export function meantMethod({ method }: Asking): string {
  return method === 'OPTIONS' ? 'POST' : method
}

/**
 * Lets a page read an answer.
 *
 * @param origin of the page; by default any, for the page of a DOM environment in this process
 */
export function openToPages(
  response: Response | undefined,
  origin: string | undefined = 'window' in globalThis ? '*' : undefined,
): Response | undefined {
  if (!response || origin === undefined || response.type === 'error') return response
  response.headers.set('access-control-allow-origin', origin)
  if (origin !== '*') response.headers.append('vary', 'origin')
  return response
}
