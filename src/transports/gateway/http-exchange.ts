import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pour } from '../intercept/http/http2-server.ts'
import { headersOf, withoutConnection } from '../intercept/http/headers.ts'
import { withoutGateway } from '../address.ts'

/** Content types of text. */
const TEXT = /^(?:text\/|application\/(?:\S+\+)?(?:json|xml|x-www-form-urlencoded|x-ndjson|jsonl))/i

/**
 * Reads a request to the gateway as the request to the original address.
 *
 * @param base the address of the gateway, which the request must not hold
 */
export async function readRequest(
  incoming: IncomingMessage,
  url: string,
  base: string,
  signal: AbortSignal,
): Promise<Request> {
  const { method = 'GET' } = incoming
  const content = await buffer(incoming)
  return meantRequest({ method, headers: headersOf(incoming), content, signal }, url, base)
}

/** As {@link readRequest}, from a request that is read. */
export function meantRequest(
  asked: { method: string; headers: Headers; content: Buffer<ArrayBuffer>; signal: AbortSignal },
  url: string,
  base: string,
): Request {
  const { method, content, signal } = asked
  const headers = new Headers(withoutConnection(asked.headers))
  const hasBody = content.length > 0 && method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? withoutBase(content, headers, base) : null
  return new Request(url, { method, headers, body, signal })
}

function withoutBase(body: Buffer<ArrayBuffer>, headers: Headers, base: string): BodyInit {
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
