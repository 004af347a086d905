import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { drained } from '../intercept/http/http2-server.ts'
import { withoutGateway } from '../address.ts'

/** Headers of one connection, and of the transfer coding of its body. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

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
  const content = await buffer(incoming)
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of OF_CONNECTION.has(name) ? [] : (values ?? [])) headers.append(name, value)
  const { method = 'GET' } = incoming
  const hasBody = content.length > 0 && method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? withoutBase(content, headers, base) : null
  return new Request(url, { method, headers, body, signal })
}

/** As {@link readRequest}, from a request that came over HTTP/2. */
export async function meantRequest(request: Request, url: string, base: string): Promise<Request> {
  const { method, signal } = request
  const headers = new Headers([...request.headers].filter(([name]) => !OF_CONNECTION.has(name)))
  const bytes = Buffer.from(await request.arrayBuffer())
  const body = bytes.length > 0 ? withoutBase(bytes, headers, base) : null
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
  const kept = [...headers].filter(([name]) => !OF_CONNECTION.has(name))
  outgoing.writeHead(status, statusText || undefined, kept.flat())
  if (!body) return void outgoing.end()
  outgoing.flushHeaders()
  const reader = body.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || outgoing.destroyed) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}
