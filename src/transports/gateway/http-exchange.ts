import { web } from '../../real/web.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { newRequest } from '../intercept/call/new-request.ts'
import { pour } from '../intercept/http/http2-server.ts'
import { HOST_HEADER, headersOf, withoutConnection } from '../intercept/http/headers.ts'
import { withoutGateway } from '../address.ts'
import type { NamedHeaders } from '../../wire/message.ts'

/** Content types of text. */
const TEXT = /^(?:text\/|application\/(?:\S+\+)?(?:json|xml|x-www-form-urlencoded|x-ndjson|jsonl))/i

/** A request as it arrived at the gateway, over any version of HTTP. */
export interface ArrivedRequest {
  method: string
  headers: Headers
  content: Buffer<ArrayBuffer>
  /** Aborts when the program gives the request up. */
  signal: AbortSignal
}

/** Reads a request to its end. */
export async function readRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<ArrivedRequest> {
  const left = new web.AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort()
  })
  const { method = 'GET' } = incoming
  const content = await buffer(incoming)
  return { method, headers: headersOf(incoming), content, signal: left.signal }
}

/**
 * The request to the original address.
 *
 * @param base the address of the gateway, which the request must not hold; absent where its client knows of none
 */
export function meantRequest(arrived: ArrivedRequest, url: string, base?: string): Request {
  const { method, content, signal } = arrived
  const headers = new web.Headers(withoutConnection(arrived.headers))
  const host = meantHost(arrived.headers, base)
  headers.delete(HOST_HEADER)
  if (host) headers.set('host', host)
  const body = content.length > 0 ? withoutBase(content, headers, base) : null
  return newRequest(url, { method, headers, body, signal })
}

/**
 * The host that a program names: at an address of the gateway, most name the gateway itself.
 *
 * @param base the address of the gateway; absent where its client knows of none
 */
export function meantHost(headers: NamedHeaders, base?: string): string | undefined {
  const told = headers.get(HOST_HEADER)
  if (told) return told
  const host = headers.get('host') ?? undefined
  if (host === undefined || base === undefined) return host
  return URL.parse(`http://${host}`)?.port === new URL(base).port ? undefined : host
}

function withoutBase(
  body: Buffer<ArrayBuffer>,
  headers: Headers,
  base: string | undefined,
): Buffer<ArrayBuffer> {
  if (base === undefined) return body
  const isText = TEXT.test(headers.get('content-type') ?? '') && !headers.has('content-encoding')
  if (!isText || !body.includes(base)) return body
  return Buffer.from(withoutGateway(body.toString(), base))
}

/** Writes an answer as it arrives, each chunk at once. Breaks the connection where the answer breaks off. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  if (response.type === 'error' || outgoing.destroyed) return void outgoing.destroy()
  const { status, statusText, headers, body } = response
  outgoing.writeHead(status, statusText || undefined, withoutConnection(headers).flat())
  if (!body) return void outgoing.end()
  outgoing.flushHeaders()
  await pour(body, outgoing).catch(() => outgoing.destroy())
}
