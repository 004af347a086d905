import { web } from '../../../real/web.ts'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import { keepHeaders, readBody } from '../../../wire/read-body.ts'
import type { WireResponse } from '../../../wire/message.ts'
import type { SocketFrame } from '../../../wire/socket-frames.ts'
import { builtin } from '../../../real/builtin.ts'
import { hostToDial, nameToVerify } from '../patch/dial.ts'
import { outsideOfMsw } from '../patch/outside-of-msw.ts'
import { openTunnelFor, ownProxiesHere } from '../patch/own-proxies.ts'
import { runInScope } from '../../scope.ts'
import { sendFrame, socketLibrary, toFrame, type Handshake } from './socket-server.ts'
import { isContextHeader } from '../context/carried-context.ts'

/** The result of dialling a provider. */
export type Dialled =
  | { socket: WebSocket; listen(hear: (frame: SocketFrame) => void): void }
  | { refusal: WireResponse }
  | { error: Error }

/** Headers that belong to one handshake. */
const OWN_HEADERS = /^(?:host|connection|upgrade|sec-websocket-.*)$/

/** Opens the WebSocket of a client at the provider itself. */
export async function dial({ url, protocols, headers }: Handshake): Promise<Dialled> {
  const { WebSocket } = socketLibrary()
  const address = new URL(url)
  const own = ownProxiesHere()
  let tunnel: Socket | undefined
  try {
    tunnel = own && (await openTunnelFor(address, own))
  } catch (error) {
    return { error: error as Error }
  }
  const passed = Object.entries(headers).filter(
    ([name]) => !OWN_HEADERS.test(name) && !isContextHeader(name),
  )
  const { host } = headers
  const named = host === undefined || host === address.host ? {} : { host }
  const options = {
    headers: { ...Object.fromEntries(passed), ...named } as Record<string, string>,
    ...(tunnel ? { createConnection: () => connectOverTunnel(tunnel, address) } : {}),
  }
  const socket = runInScope('upstream', () =>
    outsideOfMsw(() => new WebSocket(url, protocols, options)),
  )
  // Listens from the start: a server can send frames together with its handshake.
  const early: SocketFrame[] = []
  let hear = (frame: SocketFrame): void => void early.push(frame)
  socket.on('message', (data, isBinary) => hear(toFrame(data, isBinary)))
  socket.on('close', (code, reason) => hear({ close: { code, reason: reason.toString() } }))
  return new Promise((resolve) => {
    socket.on('error', (error) => resolve({ error }))
    socket.on('unexpected-response', (_request, response) => {
      void readRefusal(response).then((refusal) => resolve({ refusal }))
    })
    socket.on('open', () =>
      resolve({
        socket,
        listen(listener) {
          hear = listener
          for (const frame of early) listener(frame)
        },
      }),
    )
  })
}

/** Connects a client with its provider, and keeps nothing. */
export async function passOn(
  handshake: Handshake,
  dialling: Promise<Dialled> | Dialled,
): Promise<void> {
  const dialled = await dialling
  if ('error' in dialled) return handshake.reject()
  if ('refusal' in dialled) return handshake.reject(dialled.refusal.status)
  handshake.accept((client) => {
    client.on('error', () => {})
    client.on('message', (data, isBinary) => sendFrame(dialled.socket, toFrame(data, isBinary)))
    client.on('close', () => dialled.socket.close())
    dialled.listen((frame) => sendFrame(client, frame))
  })
}

/** The TLS connection to a server through a tunnel. */
function connectOverTunnel(tunnel: Socket, address: URL): Socket {
  if (address.protocol !== 'wss:') return tunnel
  const servername = nameToVerify(hostToDial(address))
  return builtin('node:tls').connect({ socket: tunnel, servername })
}

async function readRefusal(response: IncomingMessage): Promise<WireResponse> {
  const headers = new web.Headers(response.headers as Record<string, string>)
  return {
    status: response.statusCode ?? 500,
    headers: keepHeaders(headers),
    body: readBody(await buffer(response), headers.get('content-type') ?? ''),
  }
}
