import { web } from '../../../real/web.ts'
import type {
  IncomingHttpHeaders,
  ServerHttp2Stream,
  ServerStreamResponseOptions,
} from 'node:http2'
import type { Duplex, Writable } from 'node:stream'
import { builtin } from '../../../real/builtin.ts'
import { withWholeTarget } from '../call/whole-target.ts'
import { isTwoWay } from '../../answer.ts'
import { newRequest } from '../call/new-request.ts'

export type AnswerHttp2 = (request: Request) => Promise<Response>

/** Headers of an answer over HTTP/1 that hold for its own connection alone. HTTP/2 forbids them. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** Whether a header of an answer holds for its own connection alone. */
export function isOfConnection(name: string): boolean {
  return OF_CONNECTION.has(name)
}

/** The content type of calls of gRPC. */
export const GRPC: RegExp = /^application\/grpc\b/

/** Serves a real HTTP/2 session on one end of an in-memory connection. */
export function serveHttp2(connection: Duplex, origin: URL, answer: AnswerHttp2): void {
  const session = builtin('node:http2').performServerHandshake(connection)
  session.on('error', () => {})
  session.on('stream', async (stream, headers) => {
    stream.on('error', () => {})
    try {
      const answered = await answer(await readRequest(stream, headers, origin))
      const isGrpc = GRPC.test(headers['content-type'] ?? '')
      await (isGrpc ? respondAsGrpc : respond)(stream, answered)
    } catch {
      // The stream breaks off for the client, as the answer did.
      stream.close(builtin('node:http2').constants.NGHTTP2_INTERNAL_ERROR)
    }
  })
}

async function readRequest(
  stream: ServerHttp2Stream,
  fields: IncomingHttpHeaders,
  origin: URL,
): Promise<Request> {
  const path = fields[':path'] ?? '/'
  const headers = new web.Headers()
  for (const [name, value] of Object.entries(fields)) {
    if (!name.startsWith(':')) headers.set(name, String(value))
  }
  const authority = fields[':authority']
  if (authority !== undefined) headers.set('host', String(authority))
  const body = isTwoWay(path) ? [] : await readBody(stream)
  const left = new web.AbortController()
  stream.once('close', () => left.abort())
  return newRequest(new URL(withWholeTarget(path), origin), {
    method: fields[':method'] ?? 'GET',
    headers,
    signal: left.signal,
    body: body.length > 0 ? Buffer.concat(body) : null,
  })
}

function readBody(stream: ServerHttp2Stream): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.once('end', () => resolve(chunks))
    stream.once('aborted', () => reject(new Error('The client gave the request up.')))
  })
}

async function respond(
  stream: ServerHttp2Stream,
  response: Response,
  options?: ServerStreamResponseOptions,
): Promise<void> {
  if (stream.destroyed) return
  if (response.type === 'error')
    return stream.close(builtin('node:http2').constants.NGHTTP2_INTERNAL_ERROR)
  const headers = [...response.headers].filter(([name]) => !isOfConnection(name))
  stream.respond({ ':status': response.status, ...Object.fromEntries(headers) }, options)
  await pour(response.body, stream)
}

/** What failed has its status in the place of a body, also where it is refused. Of all else, the end says that it went well. */
async function respondAsGrpc(stream: ServerHttp2Stream, response: Response): Promise<void> {
  const { headers, type } = response
  if (headers.has('grpc-status') && type !== 'error') {
    const left = [...headers].filter(
      ([name]) => !name.startsWith('content-') && !isOfConnection(name),
    )
    const fields = { ...Object.fromEntries(left), 'content-type': 'application/grpc' }
    if (!stream.destroyed) stream.respond(fields, { endStream: true })
    return
  }
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }))
  await respond(stream, response, { waitForTrailers: true })
}

/** Writes a body as it arrives, each chunk at once, and ends. Leaves the body where the stream closes before. */
export async function pour(
  body: ReadableStream<Uint8Array> | null,
  stream: Writable,
): Promise<void> {
  const reader = body?.getReader()
  stream.once('close', () => void reader?.cancel().catch(() => {}))
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (stream.destroyed) return
    if (done) return void stream.end()
    if (!stream.write(value)) await drained(stream)
  }
}

/** Waits until a stream takes more, or has closed. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      stream.off('drain', goOn).off('close', goOn)
      resolve()
    }
    stream.on('drain', goOn).on('close', goOn)
  })
}
