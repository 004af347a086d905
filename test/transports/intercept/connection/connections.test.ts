import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import http, { createServer, type ClientRequest, type Server } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { Agent as Undici, Client, fetch as fetchOfUndici, ProxyAgent, Pool } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Authority } from '../../../../src/transports/gateway/authority.ts'
import { ownProxiesHere } from '../../../../src/transports/intercept/patch/own-proxies.ts'
import type { Attempt } from '../../../../src/attempt/attempt.ts'
import { runInScope } from '../../../../src/transports/scope.ts'
import { CERTAIN, openConnections } from './open-connections.ts'

const credentials = new Authority().credentialsFor('127.0.0.1')

/** Sends a request over a connection that it keeps, and gives the text of the answer. */
type Ask = (method: string, port: number) => Promise<string>

const bodyFor = (method: string): string | undefined => (method === 'GET' ? undefined : '{}')

function byNode(client: Pick<typeof https, 'Agent' | 'request'>): Ask {
  const agent = new client.Agent({ keepAlive: true, maxSockets: 1, ca: credentials.ca })
  return (method, port) =>
    textOf(client.request({ method, agent, port, host: '127.0.0.1' }), method)
}

function byUndici(scheme: string): Ask {
  const dispatcher = new Undici({ connections: 1, connect: { ca: credentials.ca } })
  return async (method, port) => {
    const body = bodyFor(method) ?? null
    const url = `${scheme}://127.0.0.1:${port}/`
    return (await fetchOfUndici(url, { method, body, dispatcher })).text()
  }
}

/** The clients, and the server that each of them asks. */
const clients: Record<string, [server: 0 | 1, make: () => Ask]> = {
  'an agent of node:http': [0, () => byNode(http as unknown as typeof https)],
  'an agent of node:https': [1, () => byNode(https)],
  'an agent of undici': [0, () => byUndici('http')],
  'an agent of undici, with TLS': [1, () => byUndici('https')],
}

function textOf(asked: ClientRequest, method: string): Promise<string> {
  return new Promise((resolve, reject) => {
    asked.once('response', (response) => void text(response).then(resolve, reject))
    asked.once('error', reject)
    asked.end(bodyFor(method))
  })
}

let end: () => void

describe('a connection that a passed request has opened', () => {
  const servers: Server[] = []
  const ports: number[] = []

  beforeAll(async () => {
    servers.push(createServer(), https.createServer(credentials))
    for (const server of servers) {
      server.keepAliveTimeout = 0
      server.on('request', (_, response) => void response.end('by the server'))
      await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
      ports.push((server.address() as AddressInfo).port)
    }
  })

  afterAll(() => servers.forEach((server) => void server.close()))

  beforeEach(() => {
    end = openConnections(async ({ method }) => (method === 'GET' ? undefined : answerTo(method)))
  })

  afterEach(() => {
    end()
    for (const server of servers) server.closeAllConnections()
  })

  function answerTo(method: string): Response {
    const headers: HeadersInit = method === 'PUT' ? { 'content-length': '12' } : {}
    return new Response(Readable.toWeb(Readable.from(inParts())) as ReadableStream, { headers })
  }

  /** The servers give their idle connections up in the middle of this answer. */
  async function* inParts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('begun, ')
    await sleep(20)
    for (const server of servers) server.closeIdleConnections()
    await sleep(20)
    yield Buffer.from('ended')
  }

  test.for(Object.keys(clients))('does not end with an answer that is ours: %s', async (name) => {
    const [server, make] = clients[name]!
    const ask = make()
    const [passed, ours] = ['by the server', 'begun, ended']
    for (const method of ['GET', 'POST', 'POST', 'GET', 'PUT', 'PUT', 'GET', 'GET'])
      expect(await ask(method, ports[server]!)).toBe(method === 'GET' ? passed : ours)
  })

  test('may be one of TLS whose certificate nobody trusts: then it fails, and nothing is sent', async () => {
    const socket = tls.connect({ port: ports[1]!, host: '127.0.0.1', servername: 'localhost' })
    const told: string[] = []
    socket.on('secureConnect', () => told.push('secureConnect'))
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toMatch(/CERT|SIGNATURE/)
    expect(told).toEqual([])
    const asked = fetchOfUndici(`https://127.0.0.1:${ports[1]}/`, { dispatcher: new Undici() })
    await expect(asked).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/CERT|SIGNATURE/) },
    })
  })

  test.for(['waits', 'ends'])(
    'carries a word that is no request, whose client then %s',
    async (then) => {
      const heard: string[] = []
      const server = net.createServer((socket) => {
        socket.on('data', (bytes) => heard.push(String(bytes)))
        socket.on('data', () => socket.end('heard'))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
      if (then === 'ends') socket.end('HELO')
      else socket.write('HELO')
      expect(await text(socket)).toBe('heard')
      expect(heard).toEqual(['HELO'])
      server.close()
    },
  )

  test('may lead to a socket of this machine by its path, which is never ours', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'connections-')), 'app.sock')
    const server = createServer((_, response) => void response.end('by its path')).listen(path)
    await once(server, 'listening')
    const socket = new net.Socket().connect(path)
    socket.write(
      'POST /v1/chat HTTP/1.1\r\nHost: app\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    )
    expect(await text(socket)).toContain('by its path')
    server.close()
    rmSync(dirname(path), { recursive: true })
  })

  test('carries what a raw socket writes, in whatever pieces, and is ours from a request of ours on', async () => {
    const socket = net.connect(ports[0]!, '127.0.0.1')
    const head = 'HTTP/1.1\r\nHost: app\r\n'
    for (const one of `GET / ${head}\r\n`) socket.write(one)
    expect(await untilTold(socket, 'by the server')).toMatch(/^HTTP/)
    for (const one of `POST /v1/chat ${head}Content-Length: 2\r\n\r\n{}`) {
      socket.write(one)
      await new Promise(setImmediate)
    }
    expect(await untilTold(socket, 'begun, ')).toContain('begun, ')
    socket.destroy()
  })
})

/** Waits until a socket has got a text. */
async function untilTold(socket: Socket, expected: string): Promise<string> {
  let got = ''
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    got += String(part)
    if (got.includes(expected)) return got
  }
  throw new Error(`the connection ended after ${JSON.stringify(got)}`)
}

describe('at a host that is certain', () => {
  const asked: string[] = []
  /** The proxies by which a recording would send them. */
  const through: Array<string | undefined> = []

  beforeEach(() => {
    asked.length = through.length = 0
    end = openConnections(async (request) => {
      const body = await request.clone().text()
      asked.push(`${request.method} ${request.url} ${body}`)
      through.push(ownProxiesHere()?.https_proxy)
      return new Response(`answer to ${body}`)
    })
  })

  afterEach(() => end())

  test.for(['GET', 'POST'])(
    'a target with a fragment comes whole by node:http, %s',
    async (method) => {
      const path = '/v1/chat/completions?q=a#b?c'
      const request = http.request({ method, host: CERTAIN, path })
      expect(await textOf(request, method)).toBe(`answer to ${bodyFor(method) ?? ''}`)
      expect(asked.at(-1)).toContain('http://llm.example.com/v1/chat/completions?q=a%23b?c')
    },
  )

  test('and by a client of undici', async () => {
    const client = new Client(`http://${CERTAIN}`)
    const { body } = await client.request({ method: 'POST', path: '/v1/chat#b', body: '{}' })
    expect(await body.text()).toBe('answer to {}')
    expect(asked.at(-1)).toContain('http://llm.example.com/v1/chat?%23b')
    await client.close()
  })

  test('requests in one write are answered in their order', async () => {
    const socket = net.connect(80, CERTAIN)
    const one = (body: string): string =>
      `POST /v1/chat HTTP/1.1\r\nHost: ${CERTAIN}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(one('first') + one('second') + one('third'))
    const got = await untilTold(socket, 'answer to third')
    expect(got.match(/answer to \w+/g)).toEqual([
      'answer to first',
      'answer to second',
      'answer to third',
    ])
    socket.destroy()
  })

  test('and so are those of a client that pipelines', async () => {
    const pool = new Pool(`http://${CERTAIN}`, { connections: 1, pipelining: 4 })
    const bodies = ['a', 'b', 'c', 'd']
    const answers = bodies.map(async (body) => {
      const { body: answer } = await pool.request({ method: 'PUT', path: '/', body })
      return answer.text()
    })
    expect(await Promise.all(answers)).toEqual(bodies.map((body) => `answer to ${body}`))
    await pool.close()
  })

  test('what is no request fails its test by name', async () => {
    const failed: unknown[] = []
    const attempt = { fail: (error: unknown) => failed.push(error) } as unknown as Attempt
    await runInScope(attempt, async () => {
      const socket = net.connect(80, CERTAIN)
      socket.write(`POST /v1/chat HTTP/1.1\r\nHost: ${CERTAIN}\r\nContent-Length: none\r\n\r\n`)
      await once(socket, 'close').catch(() => {})
    })
    expect(failed).toEqual([expect.objectContaining({ code: 'refused' })])
  })

  test('what ends before it is a request is sent on, where it is refused', async () => {
    const socket = net.connect(80, CERTAIN).end('HELO')
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toMatch(/^E/)
    expect(asked).toEqual([])
  })

  test('a client that leaves in the middle of its request fails nothing', async () => {
    const failed: unknown[] = []
    const attempt = { fail: (error: unknown) => failed.push(error) } as unknown as Attempt
    await runInScope(attempt, async () => {
      const socket = net.connect(80, CERTAIN)
      socket.write(`POST /v1/chat HTTP/1.1\r\nHost: ${CERTAIN}\r\nContent-Length: 9\r\n\r\n{`)
      await sleep(20)
      socket.destroy()
      await once(socket, 'close')
      await sleep(20)
    })
    expect(failed).toEqual([])
    expect(asked).toEqual([])
  })

  test('a body with a GET comes too', async () => {
    const request = http.request({ method: 'GET', host: CERTAIN, path: '/_search' })
    request.setHeader('content-length', 2)
    const answer = textOf(request, 'POST')
    expect(await answer).toBe('answer to {}')
  })

  test('a client that waits for leave to send its body gets it', async () => {
    const request = http.request({
      method: 'POST',
      host: CERTAIN,
      headers: { expect: '100-continue' },
    })
    const answer = new Promise<string>((resolve, reject) => {
      request.once('response', (response) => void text(response).then(resolve, reject))
    })
    request.flushHeaders()
    await once(request, 'continue')
    request.end('late')
    expect(await answer).toBe('answer to late')
  })

  test.for([
    ['a socket', () => net.connect(80, CERTAIN)],
    ['a socket of TLS', () => tls.connect(443, CERTAIN)],
    ['a socket that was made before', () => new net.Socket().connect(80, CERTAIN)],
  ] as const)('%s is one by its kind, and says where it leads', async ([, connect]) => {
    const socket: Socket = connect()
    expect(socket).toBeInstanceOf(net.Socket)
    await once(socket, 'connect')
    expect(socket.remotePort).toBeGreaterThan(0)
    expect(socket.connecting).toBe(false)
    socket.destroy()
    await once(socket, 'close')
  })

  test('HTTP/2 over a connection of the program is answered', async () => {
    const session = http2.connect(`https://${CERTAIN}`, {
      createConnection: () => tls.connect({ host: CERTAIN, port: 443, ALPNProtocols: ['h2'] }),
    })
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat' })
    stream.end('{}')
    expect(await text(stream)).toBe('answer to {}')
    session.close()
  })

  test.for(['live', 'dead'])(
    'behind a %s proxy of the client too, which hears nothing',
    async (state) => {
      let heard = 0
      const proxy = createServer().on('connect', () => heard++)
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      if (state === 'dead') {
        proxy.close()
        await once(proxy, 'close')
      }
      const proxyUrl = `http://127.0.0.1:${port}/`
      const dispatcher = new ProxyAgent({ uri: proxyUrl, token: `Basic ${btoa('me:secret')}` })
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${CERTAIN}/v1/chat`
        const response = await fetchOfUndici(url, { method: 'POST', body: 'hi', dispatcher })
        expect(await response.text()).toBe('answer to hi')
      }
      expect(heard).toBe(0)
      // Where undici sends what is not encrypted to the proxy itself, no tunnel tells of it.
      expect(through.at(-1)).toBe(proxyUrl.replace('127', 'me:secret@127'))
      await dispatcher.close()
      proxy.close()
    },
  )
})
