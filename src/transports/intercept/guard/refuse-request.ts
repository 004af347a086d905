import type { connect } from 'node:http2'
import { headerOf, originAsked, originOf, type RequestHeaders } from '../http/headers.ts'
import type { JudgeConnection } from './guard-policy.ts'

/** The error of a request over HTTP/2 that may not be sent. */
export function refusalOfRequest(
  authority: Parameters<typeof connect>[0],
  headers: RequestHeaders,
  judge: JudgeConnection,
): Error | undefined {
  const origin = originOf(authority)
  if (!origin) return undefined
  const method = headerOf(headers, ':method') ?? 'GET'
  const asked = originAsked(headers, origin)
  const url = asked.origin + (headerOf(headers, ':path') ?? '/')
  return judge({
    host: asked.hostname,
    port: Number(asked.port) || (asked.protocol === 'https:' ? 443 : 80),
    transport: 'node:http2',
    isNamed: true,
    url,
    // The body follows after the head is sent, so the path alone decides.
    request: { method, url, headers: { get: (name) => headerOf(headers, name) } },
  })
}
