import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import tls from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../../../src/transports/intercept/guard/guard-policy.ts'
import { guardWires } from '../../../../src/transports/intercept/guard/guard-wire.ts'
import { isProviderPath } from '../../../../src/providers/provider-paths.ts'
import { guardSockets } from '../../../../src/transports/intercept/guard/guard.ts'
import { refuseSocket } from '../../../../src/transports/intercept/guard/refuse-socket.ts'

const KEY = 'authorization: Bearer key\r\n'
const chat = JSON.stringify({ model: 'm', messages: [] })
const asked = `host: 127.0.0.1:1\r\ncontent-length: ${chat.length}\r\n\r\n${chat}`

/** Gets what gets out, and sends it back. */
const server = net.createServer((socket) => {
  socket.on('error', () => {}).on('data', (bytes) => (received += bytes.toString('latin1')))
  socket.pipe(socket)
})
let received = ''
let port: number
let end: () => void
const judge = vi.fn(({ host, request }: Connection) =>
  host === 'api.openai.com' || (request && isProviderPath(request.method, new URL(request.url)))
    ? new Error('refused')
    : undefined,
)

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  end = guardSockets(judge, () => ({ guardWires, refuseSocket }))
})
beforeEach(() => {
  received = ''
  judge.mockReset()
})
afterAll(() => {
  end()
  server.close()
})

/** Writes some pieces; gives what comes back. */
function write(...pieces: Array<string | Buffer>): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  for (const piece of pieces) socket.write(piece, 'latin1')
  return answerOf(socket)
}

async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('error', (error) => (text += error.message))
  socket.on('data', (bytes) => ((text += bytes), socket.end()))
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

const send = (options: http.RequestOptions, body?: string): Promise<string> =>
  new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', ...options }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    })
    request.on('error', ({ message }) => resolve(message)).end(body)
  })

test.each<[string, () => Promise<string>]>([
  [
    'a header that names the host',
    () => write(`GET / HTTP/1.1\r\nHost: api.openai.com\r\n${KEY}\r\n`),
  ],
  [
    'node:http with such a header',
    () => send({ path: '/v1/models', headers: { host: 'api.openai.com' } }),
  ],
  ['an address for a proxy', () => send({ path: 'http://api.openai.com/v1/models' })],
  [
    'an end with the whole request',
    () => {
      const socket = net.connect(port, '127.0.0.1')
      socket.end(`GET http://api.openai.com/ HTTP/1.1\r\n${KEY}\r\n`)
      return answerOf(socket)
    },
  ],
  [
    'an empty line before it',
    () => write('\r\n', `POST /v1/chat/completions HTTP/1.1\r\n${KEY}${asked}`),
  ],
  ['PUT', () => send({ method: 'PUT', path: '/v1/chat/completions' }, chat)],
  [
    'the second of two',
    () => write(`GET /x HTTP/1.1\r\nhost: x\r\n\r\nPOST /api/chat HTTP/1.1\r\n${KEY}${asked}`),
  ],
  [
    'a body in chunks',
    () =>
      send(
        { method: 'POST', path: '/v1/messages', headers: { 'transfer-encoding': 'chunked' } },
        chat,
      ),
  ],
  ['a tunnel in pieces', () => write('CONN', 'ECT api.openai.com:443 HTTP/1.1\r\n', `${KEY}\r\n`)],
  ['SOCKS', () => write(Buffer.from('050100050100030e6170692e6f70656e61692e636f6d01bb', 'hex'))],
])('refuses %s, and sends nothing of it', async (_, ask) => {
  expect(await ask()).toMatch(/refused|403 Refused/)
  expect(received).not.toMatch(/key|messages/)
})

test('single bytes are let out until they are a request', async () => {
  const request = `POST /v1/chat/completions HTTP/1.1\r\n${KEY}${asked}`
  expect(await write(...request)).toContain('refused')
  expect(received).not.toContain('auth')
})

test('a name that TLS names over a connection of its own is judged', async () => {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  expect(await answerOf(tls.connect({ socket, servername: 'api.openai.com' }))).toBe('refused')
  expect(
    await answerOf(tls.connect({ port, host: '127.0.0.1', servername: 'api.openai.com' })),
  ).toBe('refused')
  expect(received).toBe('')
})

test.each([
  ['a word', ['ping']],
  ['the beginning of a method', ['GE']],
  ['a line that is no request', ['get key\r\n']],
  ['a request', ['GET /x HTTP/1.1\r\nhost: x\r\n\r\n']],
  ['a request in pieces', [...'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nok']],
  ['bytes', [Buffer.from([0, 1, 2, 255])]],
  ['much', ['POST /x HTTP/1.1\r\ncontent-length: 3000000\r\n\r\n', 'x'.repeat(3_000_000)]],
])('lets %s out as it is', async (_, pieces) => {
  const socket = net.connect(port, '127.0.0.1')
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, 'latin1')))
  for (const piece of pieces) socket.write(piece, 'latin1')
  const back: Buffer[] = []
  for await (const chunk of socket) {
    back.push(chunk as Buffer)
    if (Buffer.concat(back).length >= whole.length) socket.end()
  }
  expect(Buffer.concat(back).equals(whole)).toBe(true)
})

test('a held request that turns out to be free is sent whole, in its order', async () => {
  judge.mockImplementation(() => undefined)
  const pieces = [
    'POST /v1/chat/completions HTTP/1.1\r\n',
    `${KEY}${asked.slice(0, -5)}`,
    asked.slice(-5),
    'GET /y',
  ]
  await write(...pieces)
  await vi.waitFor(() => expect(received).toBe(pieces.join('')))
  expect(judge.mock.calls.map(([{ request }]) => request?.url).filter(Boolean)).toEqual([
    `http://127.0.0.1:1/v1/chat/completions`,
  ])
})

test('what a server writes is no request', async () => {
  const [client] = duplexPair()
  client.write('GET http://api.openai.com/ HTTP/1.1\r\n\r\n')
  const answers = net.createServer((socket) =>
    socket.end('GET http://api.openai.com/ HTTP/1.1\r\n\r\n'),
  )
  answers.listen(0, '127.0.0.1')
  await once(answers, 'listening')
  const socket = net.connect((answers.address() as AddressInfo).port, '127.0.0.1')
  expect(await answerOf(socket)).toContain('GET http://api.openai.com/')
  answers.close()
})
