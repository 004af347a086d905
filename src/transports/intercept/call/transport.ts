import type { Socket } from 'node:net'
import { captureCallSite } from '../../../errors.ts'

/** A frame in the stack of a socket's caller, and the usual name of the API that it belongs to. */
const TRANSPORTS: Array<[frame: RegExp, name: string]> = [
  [/internal\/deps\/undici/, 'fetch'],
  [/node_modules\/undici\//, 'undici'],
  [/node_modules\/@grpc\//, 'gRPC'],
  [/node:internal\/http2/, 'node:http2'],
  [/node:_http_(?:client|outgoing)|node:https?:/, 'node:http'],
]

/** The API by which a socket is used here. */
export function transportOf(socket: Socket): string {
  const { stack = '' } = captureCallSite('used here')
  const known = TRANSPORTS.find(([frame]) => frame.test(stack))
  return known?.[1] ?? ('encrypted' in socket ? 'node:tls' : 'node:net')
}
