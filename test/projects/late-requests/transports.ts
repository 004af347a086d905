import { request } from 'node:http'
import { connect } from 'node:http2'
import { fetch as undiciFetch, Pool, request as undiciRequest } from 'undici'
import WebSocket from 'ws'
import { bodyOf, headers, questionOf, url } from './calls.ts'

const { origin, pathname, host } = new URL(url)
const socketUrl = `ws://${host}/v1/realtime?model=gpt-realtime`
const method = 'POST'
const rawHeaders = ['Host', host, 'Content-Type', 'application/json']

/** Asks over a transport of its own; the answer is awaited by nobody. */
type Ask = (question: string) => void

/** What a WebSocket is to its user, whoever made it. */
interface Socket {
  send(text: string): void
  close(): void
  addEventListener(event: 'open' | 'message' | 'close' | 'error', listener: () => void): void
}

let session: ReturnType<typeof connect> | undefined
let pool: Pool | undefined

/** The ways to ask. */
export const transports: Record<string, Ask> = {
  'HTTP-2'(question) {
    session ??= connect(origin).on('error', () => {})
    session.unref()
    const stream = session.request({
      ':method': method,
      ':path': pathname,
      'content-type': 'application/json',
    })
    stream.on('error', () => {}).resume()
    stream.end(bodyOf(question))
  },
  'global WebSocket': (question) => converse(new globalThis.WebSocket(socketUrl), question),
  ws: (question) => converse(new WebSocket(socketUrl), question),
  'undici request'(question) {
    const asked = undiciRequest(url, { method, headers, body: bodyOf(question) })
    asked.then(({ body }) => body.dump()).catch(() => {})
  },
  'undici fetch'(question) {
    const asked = undiciFetch(url, { method, headers, body: bodyOf(question) })
    asked.then((response) => response.text()).catch(() => {})
  },
  'undici pool'(question) {
    pool ??= new Pool(origin, { connections: 1 })
    const asked = pool.request({ path: pathname, method, headers, body: bodyOf(question) })
    asked.then(({ body }) => body.dump()).catch(() => {})
  },
  'undici raw headers'(question) {
    const asked = undiciRequest(url, { method, headers: rawHeaders, body: bodyOf(question) })
    asked.then(({ body }) => body.dump()).catch(() => {})
  },
  'raw headers'(question) {
    const client = request(url, { method, headers: rawHeaders })
    client.on('error', () => {}).on('response', (response) => response.resume())
    client.end(bodyOf(question))
  },
  'raw headers, and a body that follows'(question) {
    const client = request(url, { method, headers: rawHeaders })
    client.on('error', () => {}).on('response', (response) => response.resume())
    setTimeout(() => client.end(bodyOf(question)), 50)
  },
  'expect 100-continue'(question) {
    const client = request(url, { method, headers: { ...headers, expect: '100-continue' } })
    client.on('error', () => {}).on('response', (response) => response.resume())
    setTimeout(() => client.end(bodyOf(question)), 50)
  },
  'a stream that nobody reads'(question) {
    fetch(url, { method, headers, body: bodyOf(question, { stream: true }) }).catch(() => {})
  },
  'a response that nobody reads'(question) {
    request(url, { method, headers })
      .on('error', () => {})
      .on('response', () => {})
      .end(bodyOf(question))
  },
}

function converse(socket: Socket, question: string): void {
  socket.addEventListener('error', () => {})
  socket.addEventListener('open', () => say(socket, question))
}

/** Opens a socket, and waits until it is open. */
export async function opened(make: () => Socket): Promise<Socket> {
  const socket = make()
  await new Promise<void>((resolve) => socket.addEventListener('open', resolve))
  return socket
}

/** The classes that make sockets. */
export const sockets: Record<string, () => Socket> = {
  'global WebSocket': () => new globalThis.WebSocket(socketUrl),
  ws: () => new WebSocket(socketUrl),
}

export function say(socket: Socket, question: string): void {
  const response = { instructions: questionOf(question) }
  socket.send(JSON.stringify({ type: 'response.create', response }))
}
