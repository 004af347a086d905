import http, { request as requestOfNode } from 'node:http'
import http2 from 'node:http2'
import https, { request as secureOfNode } from 'node:https'
import net, { connect as connectOfNode } from 'node:net'
import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tls, { connect as connectSecurely } from 'node:tls'
import axios from 'axios'
import got from 'got'
import { HttpsProxyAgent } from 'https-proxy-agent'
import nodeFetch from 'node-fetch'
import {
  Agent as Undici,
  Client,
  fetch as fetchOfUndici,
  pipeline as pipelineOfUndici,
  Pool,
  request as requestOfUndici,
  stream as streamOfUndici,
} from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ClientOptions, WebSocket as SocketOfPackage, type WebSocket as Accepted } from 'ws'
import { handshakeOf } from '../../../../src/transports/intercept/websocket/socket-server.ts'
import { CERTAIN, openConnections } from './open-connections.ts'

/** Asks one question, and gives the text of the answer. */
type Ask = (question: string) => Promise<string>

const fetchOfNode = fetch
const connectOfTls = tls.connect
const SocketOfNode = WebSocket
const secure = `https://${CERTAIN}/v1/chat`
const plain = `http://${CERTAIN}/v1/chat`

function byRequest(request: typeof https.request, url: string, options: object = {}): Ask {
  return (question) =>
    new Promise((resolve, reject) => {
      const asked = request(url, { method: 'POST', ...options })
      asked.once('response', (response) => void text(response).then(resolve, reject))
      asked.once('error', reject)
      asked.end(question)
    })
}

/** Over a socket of its own, whole or in single bytes. */
function bySocket(connect: () => net.Socket, isInPieces = false): Ask {
  return async (question) => {
    const socket = connect()
    const asked = `POST /v1/chat HTTP/1.1\r\nHost: ${CERTAIN}\r\nContent-Length: ${question.length}\r\nConnection: close\r\n\r\n${question}`
    for (const piece of isInPieces ? asked : [asked]) {
      socket.write(piece)
      if (isInPieces) await new Promise(setImmediate)
    }
    const answer = await text(socket)
    return answer.slice(answer.indexOf('\r\n\r\n') + 4).replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, '')
  }
}

function byHttp2(authority: string, options: object = {}): Ask {
  return async (question) => {
    const session = http2.connect(authority, options)
    const broken = new Promise<never>((_resolve, reject) => session.once('error', reject))
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat' })
    stream.end(question)
    const answer = await Promise.race([text(stream), broken])
    session.close()
    return answer
  }
}

const post = { method: 'POST' } as const
const dead = 'http://127.0.0.1:9'

const CLIENTS: Record<string, Ask> = {
  'fetch, kept from before': async (body) => (await fetchOfNode(secure, { ...post, body })).text(),
  'fetch of undici': async (body) => (await fetchOfUndici(secure, { ...post, body })).text(),
  'fetch of undici, without TLS': async (body) =>
    (await fetchOfUndici(plain, { ...post, body })).text(),
  'fetch of undici, by HTTP/2': async (body) => {
    const dispatcher = new Undici({ allowH2: true })
    return (await fetchOfUndici(secure, { ...post, body, dispatcher })).text()
  },
  'request of undici': async (body) =>
    (await requestOfUndici(secure, { ...post, body })).body.text(),
  'stream of undici': async (body) => {
    const into = new PassThrough()
    const answer = text(into)
    await streamOfUndici(secure, { ...post, body, opaque: into }, () => into)
    return answer
  },
  'pipeline of undici': async (body) => {
    const duplex = pipelineOfUndici(secure, { ...post }, ({ body }) => body)
    duplex.end(body)
    return text(duplex)
  },
  'a client of undici': async (body) => {
    const client = new Client(`https://${CERTAIN}`)
    const answer = await client.request({ ...post, path: '/v1/chat', body })
    return answer.body.text()
  },
  'a pool of one connection': async (body) => {
    const pool = new Pool(`https://${CERTAIN}`, { connections: 1 })
    const answers = await Promise.all(
      [body, body].map(async () =>
        (await pool.request({ ...post, path: '/v1/chat', body })).body.text(),
      ),
    )
    expect(answers[0]).toBe(answers[1])
    return answers[0]!
  },
  'node:https': byRequest(https.request, secure),
  'node:https, kept from before': byRequest(secureOfNode, secure),
  'node:http': byRequest(http.request as typeof https.request, plain),
  'node:http, kept from before': byRequest(requestOfNode as typeof https.request, plain),
  'node:https, without an agent': byRequest(https.request, secure, { agent: false }),
  'node:https, by a connection of its own': byRequest(https.request, secure, {
    createConnection: () => tls.connect(443, CERTAIN, { servername: CERTAIN }),
  }),
  'node:https, by an agent that keeps its connections': byRequest(https.request, secure, {
    agent: new https.Agent({ keepAlive: true }),
  }),
  'node:https, by a name and an address': byRequest(https.request, secure, {
    servername: CERTAIN,
    timeout: 5_000,
  }),
  'node:https, by a proxy that is dead': byRequest(https.request, secure, {
    agent: new HttpsProxyAgent(dead),
  }),
  'node:http, in chunks': (question) =>
    new Promise((resolve, reject) => {
      const asked = http.request(plain, post)
      asked.once('response', (response) => void text(response).then(resolve, reject))
      asked.once('error', reject)
      for (const piece of question) asked.write(piece)
      asked.end()
    }),
  axios: async (body) => (await axios.post<string>(secure, body, { adapter: 'http' })).data,
  got: (body) => got.post(secure, { body, retry: { limit: 0 } }).text(),
  'got, by HTTP/2': (body) => got.post(secure, { body, http2: true, retry: { limit: 0 } }).text(),
  'node-fetch': async (body) => (await nodeFetch(secure, { ...post, body })).text(),
  'a socket': bySocket(() => net.connect(80, CERTAIN)),
  'a socket, kept from before': bySocket(() => connectOfNode(80, CERTAIN)),
  'a socket, in single bytes': bySocket(() => net.connect(80, CERTAIN), true),
  'a socket that was made before': bySocket(() => new net.Socket().connect(80, CERTAIN)),
  'a socket of TLS': bySocket(() => tls.connect(443, CERTAIN)),
  'a socket of TLS, in single bytes': bySocket(() => tls.connect(443, CERTAIN), true),
  'a socket of TLS, kept from before': bySocket(() => connectSecurely(443, CERTAIN)),
  'HTTP/2': byHttp2(`https://${CERTAIN}`),
  'HTTP/2 without TLS': byHttp2(`http://${CERTAIN}`),
  'HTTP/2 over a connection of the program': byHttp2(`https://${CERTAIN}`, {
    createConnection: () => tls.connect({ host: CERTAIN, port: 443, ALPNProtocols: ['h2'] }),
  }),
  'HTTP/2 without TLS, over a connection of the program': byHttp2(`http://${CERTAIN}`, {
    createConnection: () => net.connect(80, CERTAIN),
  }),
}

let asked: string[]
let end: () => void

beforeEach(() => {
  asked = []
  end = openConnections(
    async (request) => {
      const body = await request.clone().text()
      asked.push(`${request.method} ${new URL(request.url).host} ${body}`)
      return new Response(`answer to ${body}`)
    },
    {},
    (incoming, socket, head, address) => {
      const handshake = handshakeOf(address, incoming, socket, head)
      asked.push(`${handshake.url} ${handshake.protocols.join()}`)
      handshake.accept((client) =>
        client.on('message', (data, isBinary) => answer(client, data, isBinary)),
      )
      return true
    },
  )
})

afterEach(() => end())

test.for(Object.keys(CLIENTS))('%s is answered without a connection', async (name) => {
  const question = `question of ${name}`
  expect(await CLIENTS[name]!(question)).toBe(`answer to ${question}`)
  expect(new Set(asked)).toEqual(new Set([`POST ${CERTAIN} ${question}`]))
})

test('what one client sends in a pipeline comes out of it', async () => {
  const into = new PassThrough()
  const asked = http.request(plain, post)
  asked.once('response', (response) => void pipeline(response, into))
  asked.end('piped')
  expect(await text(into)).toBe('answer to piped')
})

function answer(client: Accepted, data: unknown, isBinary: boolean): void {
  client.send(isBinary ? (data as Buffer) : `answer to ${String(data)}`)
}

/** Opens a WebSocket to an address. */
const SOCKETS: Record<string, (url: string) => WebSocket | SocketOfPackage> = {
  WebSocket: (url) => new WebSocket(url, ['one', 'two']),
  'WebSocket, kept from before': (url) => new SocketOfNode(url, ['one', 'two']),
  'the package ws': (url) => new SocketOfPackage(url, ['one', 'two']),
  'the package ws, by an agent': (url) => {
    const agents = url.startsWith('wss') ? https : http
    const options: ClientOptions = { agent: new agents.Agent({ keepAlive: true }) }
    return new SocketOfPackage(url, ['one', 'two'], options)
  },
  'the package ws, by a proxy that is dead': (url) =>
    new SocketOfPackage(url, ['one', 'two'], { agent: new HttpsProxyAgent(dead) }),
}

test.for(
  Object.keys(SOCKETS).flatMap((name) => ['wss', 'ws'].map((scheme) => [name, scheme] as const)),
)('the socket of a client is answered without a connection: %s, %s', async ([name, scheme]) => {
  const address = `${scheme}://${CERTAIN}/v1/realtime`
  const socket = SOCKETS[name]!(address) as WebSocket
  socket.binaryType = 'arraybuffer'
  const heard: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('It broke off.')))
    socket.addEventListener('open', () => socket.send('hello'))
    socket.addEventListener('message', ({ data }) => {
      heard.push(data)
      if (heard.length === 2) resolve()
      else socket.send(new Uint8Array([1, 2, 3]))
    })
  })
  expect(socket.protocol).toBe('one')
  const [said, bytes] = heard as [string, ArrayBuffer]
  expect(said).toBe('answer to hello')
  expect([...new Uint8Array(bytes)]).toEqual([1, 2, 3])
  expect(asked.map((one) => one.replace(/^http/, 'ws'))).toEqual([`${address} one,two`])
  socket.close()
})

test('HTTP/2 by a connection of which this package hears too late breaks off, and ends no process', async () => {
  const createConnection = (): net.Socket =>
    connectOfTls({ host: CERTAIN, port: 443, ALPNProtocols: ['h2'], lookup: refuse })
  await expect(byHttp2(`https://${CERTAIN}`, { createConnection })('anything')).rejects.toThrow(
    'no name server',
  )
})

const refuse = ((_host: string, _options: object, done: (error: Error) => void) =>
  done(new Error('no name server'))) as unknown as net.LookupFunction
