import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { requireFrom } from '../../../real/load-later.ts'
import type { SocketFrame } from '../../../wire/socket-frames.ts'
import { closeRequest, nextOrder, openRequest, type OpenRequest } from '../../open-requests.ts'
import type { RequestContext } from '../context/request-context.ts'

/** A client that opens a WebSocket. */
export interface Handshake {
  url: string
  protocols: string[]
  headers: IncomingMessage['headers']
  /** The number, in the order of creation, of the message that has just arrived. */
  orderOfMessage(): number
  /**
   * Accepts the client. It can have sent frames before this returns, so `listen` has to add its listeners
   * synchronously.
   */
  accept(listen: (socket: WebSocket) => void): void
  /** Refuses the client with a status; without one the connection breaks. */
  reject(status?: number, body?: string): void
}

/** Loads the library that speaks the protocol of sockets, at the first socket: most tests never open one. */
export function socketLibrary(): typeof import('ws') {
  return requireFrom(import.meta.url)('ws') as typeof import('ws')
}

/** The handshake of a client that asks for an address. */
export function handshakeOf(
  url: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  orderOfMessage: () => number = nextOrder,
): Handshake {
  return {
    url,
    orderOfMessage,
    protocols: (request.headers['sec-websocket-protocol'] ?? '').split(/, */).filter(Boolean),
    headers: request.headers,
    accept(listen) {
      const { WebSocketServer } = socketLibrary()
      const sockets = new WebSocketServer({ noServer: true, maxPayload: 0 })
      sockets.handleUpgrade(request, socket, head, listen)
    },
    reject(status, body = '') {
      if (status === undefined) return void socket.destroy()
      const length = Buffer.byteLength(body)
      socket.end(
        `HTTP/1.1 ${status} \r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  }
}

/** The frame of a message. */
export function toFrame(data: RawData, isBinary: boolean): SocketFrame {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
  return isBinary ? { bytes } : { text: bytes.toString() }
}

/** Sends a frame, or closes with its code. Codes that cannot be sent break or end the socket. */
export function sendFrame(socket: WebSocket, frame: SocketFrame): void {
  if ('text' in frame) return socket.send(frame.text)
  if ('bytes' in frame) return socket.send(frame.bytes)
  const { code, reason } = frame.close
  if (code === 1006) return socket.terminate()
  return code === 1005 ? socket.close() : socket.close(code, reason)
}

/** A write of the client that the other end has not read. */
interface Write {
  order: number
  bytes: number
  open: OpenRequest | undefined
}

/**
 * Notes when a client writes to a connection in memory: a message counts from there, and its test waits until it
 * arrives. Both clients write each frame as soon as it is sent.
 *
 * @param context the context of the handshake
 * @returns a function that gives the number of the message that has just arrived
 */
export function noteWrites(
  client: Duplex,
  connection: Duplex,
  { scope, open: handshake }: RequestContext,
): () => number {
  const address = String(handshake?.address).replace(/^GET/, 'SEND')
  const writes: Write[] = []
  let arrived = 0
  const write = client.write.bind(client) as (...args: unknown[]) => boolean
  client.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const [encoding] = rest
    const isNamed = typeof encoding === 'string'
    const bytes = Buffer.byteLength(chunk, isNamed ? (encoding as BufferEncoding) : 'utf8')
    const order = nextOrder()
    if (bytes > 0) writes.push({ order, bytes, open: openRequest(scope, order, address) })
    return write(chunk, ...rest)
  }
  connection.on('data', ({ length }: Buffer) => {
    for (let left = length; left > 0 && writes.length > 0;) {
      const [first] = writes as [Write]
      const read = Math.min(left, first.bytes)
      arrived = first.order
      left -= read
      first.bytes -= read
      if (first.bytes === 0) closeRequest(writes.shift()!.open)
    }
  })
  client.once('close', () => writes.splice(0).forEach(({ open }) => closeRequest(open)))
  return () => arrived
}
