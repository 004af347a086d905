import { web } from '../../../real/web.ts'
import { withWholeTarget } from '../call/whole-target.ts'
import { WireReader, type TakeBody } from '../call/read-wire.ts'
import { newRequest } from '../call/new-request.ts'
import { CONTEXT_HEADER } from '../context/request-context.ts'

/** Names the body of a request between MSW's parser and its handlers. */
const BODY_HEADER = 'x-vitest-cassette-body'

/** The body of the request that a connection sends now. */
export const sending: WeakMap<object, Promise<ArrayBuffer>> = new WeakMap()

/** The bodies of requests on their way to a handler. */
export const bodies: Map<string, Promise<ArrayBuffer>> = new Map()

let last = 0

/** The first line of a request whose body MSW drops. A connection without one has nothing to follow. */
const BODILESS = /^(?:GET|HEAD) \S+ HTTP\/1\.\d\r?\n/

/** Longer than any line that Node takes. */
const MAX_LINE = 65_536

const readers = new WeakMap<object, WireReader>()

/** Reads the bodies that MSW drops, those of a GET or HEAD, from what a client writes to a connection. */
export function readSent(connection: object, bytes: Buffer): void {
  let reader = readers.get(connection)
  if (!reader && BODILESS.test(bytes.toString('latin1', 0, MAX_LINE)))
    readers.set(connection, (reader = readerOf(connection)))
  if (reader) for (const _ of reader.read(bytes));
}

function readerOf(connection: object): WireReader {
  const takeBody: TakeBody = (method, headers) => {
    const isFramed = Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding')
    if (!/^(?:GET|HEAD)$/.test(method) || !isFramed) return void sending.delete(connection)
    const { promise, resolve } = Promise.withResolvers<ArrayBuffer>()
    sending.set(connection, promise)
    return ({ buffer, byteOffset, byteLength }) =>
      resolve(buffer.slice(byteOffset, byteOffset + byteLength))
  }
  return new WireReader({ host: 'localhost', port: 80, isSecure: false }, takeBody)
}

/** Notes the body of a request that MSW has parsed. */
export function noteBody(request: Request, connection: object, body: Promise<ArrayBuffer>): void {
  sending.delete(connection)
  const id = String(++last)
  bodies.set(id, body)
  request.headers.set(BODY_HEADER, id)
}

/** The request as it was sent: with its whole target, and the body that {@link noteBody} has noted. */
export async function withSentBody(request: Request): Promise<Request> {
  const { method, headers, signal } = request
  const url = withWholeTarget(request.url)
  const id = headers.get(BODY_HEADER)
  if (id === null) return url === request.url ? request : new web.Request(url, request)
  const body = bodies.get(id)
  bodies.delete(id)
  headers.delete(BODY_HEADER)
  const own = new web.Headers([...headers])
  // A request that passes is sent with its own headers.
  headers.delete(CONTEXT_HEADER)
  return newRequest(url, { method, headers: own, body: (await body) ?? null, signal })
}
