import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pour } from '../intercept/http/http2-server.ts'
import { headersOf, withoutConnection } from '../intercept/http/headers.ts'
import { withoutGateway } from '../address.ts'

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
  const left = new AbortController()
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
  const headers = new Headers(withoutConnection(arrived.headers))
  const hasBody = content.length > 0 && method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? withoutBase(content, headers, base) : null
  return new Request(url, { method, headers, body, signal })
}

function withoutBase(
  body: Buffer<ArrayBuffer>,
  headers: Headers,
  base: string | undefined,
): BodyInit {
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
