import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { builtin } from '../../../real/builtin.ts'
import { web } from '../../../real/web.ts'
import { runInScope } from '../../scope.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { connectOutside } from '../patch/connect-outside.ts'
import { ownProxiesHere } from '../patch/own-proxies.ts'
import { withoutHopHeaders } from './fetch-past-interception.ts'

/**
 * Sends a call of gRPC, which no client of HTTP/1 can: its status follows the body. A response whose status is not 0 breaks
 * off, unless nothing came before: then the status is a header.
 */
export function sendGrpc(request: WholeRequest, signal?: AbortSignal): Promise<Response> {
  return runInScope('upstream', async () => {
    const address = new URL(request.url)
    const socket = await connect(address)
    const session = builtin('node:http2').connect(address, { createConnection: () => socket })
    return new Promise((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({
        ':method': request.method,
        ':path': address.pathname + address.search,
        te: 'trailers',
        ...Object.fromEntries(withoutHopHeaders(request.headers)),
      })
      stream.on('error', reject)
      signal?.addEventListener('abort', () => stream.close())
      stream.once('response', (headers, flags) => resolve(responseOf(stream, headers, flags)))
      stream.once('close', () => session.close())
      stream.end(typeof request.body === 'string' ? request.body : Buffer.from(request.body))
    })
  })
}

function connect(address: URL): Promise<Socket> {
  const { protocol, hostname, port } = address
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, socket: Socket | null): void =>
      error ? reject(error) : resolve(socket!)
    connectOutside({ protocol, hostname, port, alpn: 'h2' }, done, ownProxiesHere())
  })
}

function responseOf(
  stream: ClientHttp2Stream,
  fields: IncomingHttpHeaders,
  flags: number,
): Response {
  const headers = new web.Headers()
  for (const [name, value] of Object.entries(fields))
    if (!name.startsWith(':')) headers.set(name, String(value))
  const { NGHTTP2_FLAG_END_STREAM: isWhole } = builtin('node:http2').constants
  const init = { status: Number(fields[':status']), headers }
  if (flags & isWhole) return new web.Response(null, init)
  stream.once('trailers', (trailers) => {
    const { 'grpc-status': status, 'grpc-message': text = '' } = trailers
    if (String(status) !== '0')
      stream.destroy(new Error(`The call ended with status ${String(status)}: ${String(text)}`))
  })
  return new web.Response(Readable.toWeb(stream) as ReadableStream, init)
}
