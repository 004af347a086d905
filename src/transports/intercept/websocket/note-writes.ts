import type { Duplex } from 'node:stream'
import { closeRequest, openRequest, type OpenRequest, nextOrder } from '../../open-requests.ts'
import { type RequestContext } from '../context/request-context.ts'

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
