import { once } from 'node:events'
import { createServer, request as ask, Server, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { onlyReplayed } from '../../src/engine/adopt.ts'
import type { Session } from '../../src/engine/session.ts'
import { assembleCassette } from '../../src/recording/assemble.ts'
import { Gateway } from '../../src/transports/gateway.ts'
import { addressAt } from '../../src/transports/address.ts'
import { layers } from '../../src/transports/layers.ts'
import { openExample } from '../engine/example-session.ts'
import { attemptWith } from '../attempt/example-attempt.ts'
import { expectGolden, failureOf } from '../golden.ts'

let provider: Server
let upstream: string
let gateway: Gateway
/** What the provider was asked. */
let asked: Array<{ url: string; body: string; headers: IncomingMessage['headers'] }>

beforeEach(async () => {
  asked = []
  provider = createServer(async (request, response) => {
    const { url = '', headers } = request
    const body = await text(request)
    asked.push({ url, body, headers })
    if (url.endsWith('/moved')) return void response.writeHead(307, { location: '/v1/new' }).end()
    response.setHeader('content-type', 'text/event-stream')
    for (const word of ['one', 'two', 'three']) response.write(`data: {"word":"${word}"}\n\n`)
    response.end()
  })
  new WebSocketServer({ server: provider }).on('connection', (socket) =>
    socket.on('message', (data) => {
      socket.send(`heard ${String(data)}`)
      socket.close(1000)
    }),
  )
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  gateway = new Gateway({ layers })
  await gateway.ready
})
afterEach(async () => {
  await gateway.close()
  provider.closeAllConnections()
  provider.close()
})

/** Lets a test in; gives the address of the provider for it. */
function admit(cassette?: Cassette, options: object = {}): { base: string; session: Session } {
  const session = openExample(cassette, {
    mode: cassette ? 'replay' : 'all',
    hosts: [new URL(upstream).host],
    ...options,
  })
  const attempt = attemptWith(session)
  expect(attempt.session).toBe(session)
  return { base: addressAt(gateway.admit(attempt), upstream), session }
}

/** Records what a function asks. */
async function record(run: (base: string) => Promise<unknown>): Promise<Cassette> {
  const { base, session } = admit()
  await run(base)
  await session.waitForAnswers()
  return assembleCassette(session, new Date())!
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  chunks: string[]
}

/** Posts as any program does, and keeps the pieces in which the answer came. */
function post(url: string, body: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-live' }
    ask(url, { method: 'POST', headers, agent: false }, async (response) => {
      const chunks: string[] = []
      for await (const chunk of response) chunks.push(String(chunk))
      resolve({ status: response.statusCode!, headers: response.headers, chunks })
    })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

/** The same, and what stands on the connection: how the answer was written. */
async function postRaw(
  url: string,
  body: object,
  headers: string = 'connection: close\r\n',
  host: string = new URL(gateway.origin!).host,
): Promise<string> {
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const content = JSON.stringify(body)
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${headers}content-type: application/json\r\n` +
      `content-length: ${content.length}\r\n\r\n${content}`,
  )
  return text(socket)
}

const chat = (content: string): object => ({
  model: 'gpt-5',
  stream: true,
  messages: [{ role: 'user', content }],
})

test('an address that a program got as its own is found through the address of the program', async () => {
  const given = admit()
  const ofProgram = gateway.admit(attemptWith(openExample(undefined, { mode: 'replay' })))
  const wrapped = addressAt(ofProgram, given.base)
  expect((await post(`${wrapped}/v1/chat/completions`, chat('Hi'))).status).toBe(200)
  await given.session.waitForAnswers()
  const [exchange] = assembleCassette(given.session, new Date())!.exchanges
  expect(exchange?.wire?.request.url).toBe(`${upstream}/v1/chat/completions`)
})

test('an offer of HTTP/2, as clients of Java make it, is declined', async () => {
  const { base, session } = admit()
  const offer = 'connection: Upgrade, close\r\nupgrade: h2c\r\nhttp2-settings: A\r\n'
  const answer = await postRaw(`${base}/v1/chat/completions`, chat('Hi'), offer)
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"word":"three"/)
  expect(asked[0]!.body).toContain('Hi')
  await session.waitForAnswers()
})

test('it listens on the loopback interface alone, at once', () => {
  const other = new Gateway({ layers })
  expect(other.origin).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/)
  return other.close()
})

test('a port that is taken is named, with the way out', async () => {
  const port = Number(new URL(gateway.origin!).port)
  const taken = await failureOf(() => new Gateway({ layers, port }).ready)
  for (const fact of ['EADDRINUSE', `port ${port}`, '--listen']) expect(taken).toContain(fact)
  await expectGolden(taken, 'taken-port', { [`127.0.0.1:${port}`]: '<address>', [port]: '<port>' })
})

test('a machine on which nothing may listen is told so, and what it means', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    const error = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES' })
    process.nextTick(() => this.emit('error', error))
    return this
  })
  const closed = new Gateway({ layers })
  listen.mockRestore()
  expect(closed.origin).toBeUndefined()
  const refused = await failureOf(() => closed.ready)
  expect(refused).toContain('listen EACCES')
  await expectGolden(refused, 'may-not-listen')
})

test('a stream is recorded, and comes event by event in replay, with the provider gone', async () => {
  const cassette = await record((base) => post(`${base}/v1/chat/completions`, chat('Hi')))
  expect(asked[0]!.headers).toMatchObject({
    authorization: 'Bearer sk-live',
    host: new URL(upstream).host,
  })
  expect(JSON.stringify(cassette)).not.toContain(new URL(gateway.origin!).port)
  const { base } = admit(cassette)
  const written = await postRaw(`${base}/v1/chat/completions`, chat('Hi'))
  const pieces = ['one', 'two', 'three'].map((word) => `data: {"word":"${word}"}\n\n`)
  const framed = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
  expect(written.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(`${framed.join('')}0\r\n\r\n`)
  expect(asked).toHaveLength(1)
})

test('the host that a program names at its address is sent and counts, and not that of the gateway', async () => {
  const ask = (base: string, host: string): Promise<string> =>
    postRaw(`${base}/v1/chat/completions`, chat('Hi'), undefined, host)
  const cassette = await record((base) => ask(base, 'model-a.example'))
  expect(asked[0]!.headers).toMatchObject({ host: 'model-a.example' })
  const { base, session } = admit(cassette, { repeats: 'last' })
  expect(await ask(base, 'Model-A.example:80')).toContain('data: {"word":"three"}')
  expect(session.misses).toEqual([])
  for (const host of ['model-b.example', new URL(gateway.origin!).host])
    expect(await ask(base, host)).toMatch(/^HTTP\/1.1 400/)
  expect(session.misses).toHaveLength(2)
})

test('another prompt gets the answer that no SDK tries again, and is a miss of its test', async () => {
  const cassette = await record((base) => post(`${base}/v1/chat/completions`, chat('Hi')))
  const { base, session } = admit(cassette)
  const { status, headers, chunks } = await post(`${base}/v1/chat/completions`, chat('Bye'))
  expect(status).toBe(400)
  expect(headers['x-should-retry']).toBe('false')
  expect(chunks.join('')).toContain(String.raw`(\"Hi\" → \"Bye\")`)
  expect(session.misses).toHaveLength(1)
  expect(asked).toHaveLength(1)
})

test('whatever is asked at the address of a model belongs to the conversation, its path unknown', async () => {
  const { base, session } = admit(await record((base) => post(`${base}/own/path`, { hello: 1 })))
  await post(`${base}/own/path`, { hello: 1 })
  expect(onlyReplayed(session)).toBe(true)
  expect((await post(`${base}/other/path`, {})).status).toBe(400)
  expect(asked).toHaveLength(1)
})

test('its own address is in no prompt, and a redirect leads back to it', async () => {
  const { base, session } = admit()
  const told = await post(`${base}/v1/moved`, { callback: `${base}/hook` })
  expect(told.headers.location).toBe(`${base}/v1/new`)
  await session.waitForAnswers()
  expect(asked[0]!.body).toBe(JSON.stringify({ callback: `${upstream}/hook` }))
})

test('calls of two tests at a time fall into their own cassettes', async () => {
  const [one, two] = [admit(), admit()]
  await Promise.all(
    [one, two, one].map(({ base }, at) => post(`${base}/v1/chat/completions`, chat(`${at}`))),
  )
  expect([one, two].map(({ session }) => session.asked.length)).toEqual([2, 1])
})

test('a program that names no attempt at its proxy is answered by the one that came last', async () => {
  const [one, two] = [admit(), admit()]
  const through = async (content: string): Promise<number> => {
    const { hostname, port } = new URL(gateway.origin!)
    const path = `${upstream}/v1/chat/completions`
    const headers = { host: new URL(upstream).host, 'content-type': 'application/json' }
    const request = ask({ hostname, port, path, method: 'POST', headers, agent: false })
    const [response] = (await once(request.end(JSON.stringify(chat(content))), 'response')) as [
      IncomingMessage,
    ]
    await text(response)
    return response.statusCode!
  }
  const counts = (): number[] => [one, two].map(({ session }) => session.asked.length)
  expect(await through('while both run')).toBe(200)
  expect(counts()).toEqual([0, 1])
  gateway.dismiss(two.base.replace(/\/http\/.*/, ''))
  expect(await through('when the last has ended')).toBe(200)
  expect(counts()).toEqual([1, 1])
})

test('fifty programs at once each get their answer', async () => {
  const all = Array.from({ length: 50 }, (_, at) => chat(`Question ${at}`))
  const ask = (base: string): Promise<Answer[]> =>
    Promise.all(all.map((body) => post(`${base}/v1/chat/completions`, body)))
  const cassette = await record(ask)
  const { base, session } = admit(cassette)
  expect((await ask(base)).map(({ status }) => status)).toEqual(all.map(() => 200))
  expect(onlyReplayed(session)).toBe(true)
  expect(asked).toHaveLength(50)
})

test('a test that has ended gets no answer', async () => {
  const cassette = await record((base) => post(`${base}/v1/chat/completions`, chat('Hi')))
  const { base, session } = admit(cassette)
  session.late.end(-1)
  const { status, chunks } = await post(`${base}/v1/chat/completions`, chat('Hi'))
  expect(status).toBe(400)
  expect(chunks.join('')).toContain('[vitest-cassette]')
  const unknown = await post(addressAt(`${gateway.origin}/gone`, upstream), chat('Hi'))
  expect(unknown.status).toBe(400)
  const { error } = JSON.parse(unknown.chunks.join('')) as { error: { message: string } }
  await expectGolden(error.message, 'address-of-no-program', { [gateway.origin!]: '<origin>' })
})

test('a socket is recorded and replayed', async () => {
  const talk = (base: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/realtime`)
      socket.on('open', () => socket.send('{"type":"hello"}'))
      socket.on('error', reject)
      socket.on('message', (data) => {
        socket.on('close', () => resolve(String(data)))
        socket.close()
      })
    })
  const cassette = await record(talk)
  const { base, session } = admit(cassette)
  provider.closeAllConnections()
  expect(await talk(base)).toBe('heard {"type":"hello"}')
  await session.waitForAnswers()
  expect(session.misses).toEqual([])
  expect(cassette.exchanges.length).toBeGreaterThan(1)
})
