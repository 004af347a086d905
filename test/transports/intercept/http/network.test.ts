import http, { createServer, type ClientRequest, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent as Undici, Client, fetch as fetchOfUndici } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Authority } from '../../../../src/transports/gateway/authority.ts'
import { openNetwork } from '../../../../src/transports/intercept/http/network.ts'

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

describe('a connection that a passed request has opened', () => {
  const servers: Server[] = []
  const ports: number[] = []
  let opened: number
  let closeNetwork: () => void

  beforeAll(async () => {
    servers.push(createServer(), https.createServer(credentials))
    for (const server of servers) {
      server.keepAliveTimeout = 0
      server.on('request', (_, response) => void response.end('by the server'))
      server.on('connection', () => opened++)
      await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
      ports.push((server.address() as AddressInfo).port)
    }
  })

  afterAll(() => servers.forEach((server) => void server.close()))

  beforeEach(() => {
    opened = 0
    closeNetwork = openNetwork({
      answer: async ({ method }) => (method === 'GET' ? undefined : answerTo(method)),
      answerTunnel: () => undefined,
    })
  })

  afterEach(() => {
    closeNetwork()
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
    const expected: Array<[string, string]> = [
      ['GET', passed],
      ['POST', ours],
      ['POST', ours],
      ['GET', passed],
      ['PUT', ours],
      ['PUT', ours],
      ['GET', passed],
      ['GET', passed],
    ]
    for (const [method, answer] of expected) expect(await ask(method, ports[server]!)).toBe(answer)
    expect(opened).toBe(3)
  })
})

describe('a target with a fragment, which these clients send', () => {
  const asked: string[] = []
  let closeNetwork: () => void

  beforeAll(() => {
    closeNetwork = openNetwork({
      answer: (request) => {
        asked.push(request.url)
        return Promise.resolve(new Response(`body ${request.method}`))
      },
      answerTunnel: () => undefined,
    })
  })

  afterAll(() => closeNetwork())

  test.for(['GET', 'POST'])('reaches the answer whole by node:http, %s', async (method) => {
    const path = '/v1/chat/completions?q=a#b?c'
    const request = http.request({ method, host: 'llm.example.com', path })
    expect(await textOf(request, method)).toBe(`body ${method}`)
    expect(asked.at(-1)).toBe('http://llm.example.com/v1/chat/completions?q=a%23b?c')
  })

  test('reaches the answer whole by a client of undici', async () => {
    const client = new Client('http://llm.example.com')
    const { body } = await client.request({ method: 'POST', path: '/v1/chat#b', body: '{}' })
    expect(await body.text()).toBe('body POST')
    expect(asked.at(-1)).toBe('http://llm.example.com/v1/chat?%23b')
    await client.close()
  })
})
