import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import type { Session } from '../../../src/engine/session.ts'
import { assembleCassette } from '../../../src/recording/assemble.ts'
import { Gateway } from '../../../src/transports/gateway.ts'
import { addressAt } from '../../../src/transports/address.ts'
import { layers } from '../../../src/transports/layers.ts'
import { openExample } from '../../engine/example-session.ts'
import { attemptWith } from '../../attempt/example-attempt.ts'
import { needs } from '../../needs.ts'
import { expectGolden } from '../../golden.ts'
import { listenAsOthers } from '../listen-as-others.ts'

const HOST = 'api.openai.com'
const BODY = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })

let server: Server
let upstream: string
let gateway: Gateway
let asked: string[]

beforeEach(async () => {
  asked = []
  server = createServer(async (request, response) => {
    const body = await text(request)
    asked.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}${body}`)
    response.setHeader('content-type', 'text/event-stream')
    for (const word of ['one', 'two']) response.write(`data: {"word":"${word}"}\n\n`)
    response.end()
  })
  new WebSocketServer({ server }).on('connection', (socket) =>
    socket.on('message', (data) => socket.send(`heard ${String(data)}`)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  upstream = `127.0.0.1:${(server.address() as AddressInfo).port}`
  gateway = new Gateway({ layers })
  await gateway.ready
})
afterEach(async () => {
  await gateway.close()
  server.closeAllConnections()
  server.close()
})

/** Lets a test in whose program was started by this file. */
function admit(cassette?: Cassette, options: object = {}): { session: Session; token: string } {
  const session = openExample(cassette, {
    mode: cassette ? 'replay' : 'all',
    hosts: [upstream],
    ...options,
  })
  const started = { program: 'agent', command: 'agent', callSite: new Error('started here') }
  const attempt = attemptWith(session)
  expect(attempt.session).toBe(session)
  const base = gateway.admit(attempt, undefined, started)
  return { session, token: new URL(base).pathname.slice(1) }
}

/** A cassette of a host, recorded by a function that asks at the address which it is given. */
async function record(host: string, run: (base: string) => Promise<unknown>): Promise<Cassette> {
  const { session, token } = admit()
  await run(addressAt(`${gateway.origin}/${token}`, `http://${upstream}`))
  await session.waitForAnswers()
  const cassette = JSON.stringify(assembleCassette(session, new Date()))
  return JSON.parse(
    cassette.replaceAll(`http://${upstream}`, host).replaceAll(`ws://${upstream}`, host),
  ) as Cassette
}

/** Posts at an address, over a connection of one's own where one is given. */
async function post(url: string, within?: TLSSocket | Socket): Promise<[number, string]> {
  const headers = { 'content-type': 'application/json', host: new URL(url).host }
  const sent = ask(url, {
    method: 'POST',
    headers,
    ...(within ? { createConnection: () => within } : { agent: false }),
  })
  sent.end(BODY)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return [answer.statusCode!, await text(answer)]
}

async function tunnel(authority: string, token: string): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.origin!).port), '127.0.0.1')
  const user = Buffer.from(`${token}:`).toString('base64')
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\nproxy-authorization: Basic ${user}\r\n\r\n`,
  )
  const [answered] = (await once(socket, 'data')) as [Buffer]
  expect(answered.toString()).toMatch(/^HTTP\/1.1 200/)
  return socket
}

/** Speaks TLS with a host through the gateway, and believes whom a program believes that it started. */
async function secure(
  host: string,
  token: string,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const [name] = host.split(/:\d+$/)
  const isName = /[a-z]/.test(name!)
  const socket = connectSecurely({
    ca: gateway.authority,
    socket: await tunnel(host, token),
    host: name!.replace(/^\[|\]$/g, ''),
    ...(isName && !name!.startsWith('[') ? { servername: name! } : {}),
    ...options,
  })
  await once(socket, 'secureConnect')
  return socket
}

const STREAM = 'data: {"word":"one"}\n\ndata: {"word":"two"}\n\n'
const chat = (base: string): Promise<[number, string]> => post(`${base}/v1/chat/completions`)

test('in a tunnel to a provider its own name answers, by HTTP/1 and HTTP/2 alike', async () => {
  const cassette = await record(`https://${HOST}`, chat)
  const { session, token } = admit(cassette, { repeats: 'last' })
  const one = await secure(`${HOST}:443`, token)
  expect(one.authorized).toBe(true)
  expect(await post(`http://${HOST}/v1/chat/completions`, one)).toEqual([200, STREAM])
  const two = await secure(`${HOST}:443`, token, { ALPNProtocols: ['h2'] })
  const http2 = connectHttp2(`https://${HOST}`, { createConnection: () => two })
  const stream = http2.request({ ':method': 'POST', ':path': '/v1/chat/completions' })
  stream.end(BODY)
  expect(await text(stream)).toBe(STREAM)
  http2.close()
  expect(session.misses).toEqual([])
  expect(asked).toHaveLength(1)
})

test('another prompt in a tunnel is a miss that names the line which started the program', async () => {
  const cassette = await record(`https://${HOST}`, (base) => post(`${base}/v1/responses`))
  const { session, token } = admit(cassette)
  const [status] = await post(`http://${HOST}/v1/chat/completions`, await secure(HOST, token))
  expect(status).toBe(400)
  expect(session.misses[0]!.callSite?.message).toBe('started here')
})

/** Says hello on a socket, over a connection of one's own where one is given; what is answered. */
function talk(url: string, within?: TLSSocket | Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = within && { createConnection: (() => within) as never }
    const socket = new WebSocket(url.replace('http', 'ws'), options)
    socket.on('open', () => socket.send('{"type":"hello"}'))
    socket.on('error', reject)
    socket.on('message', (data) => {
      socket.on('close', () => resolve(String(data)))
      socket.close()
    })
  })
}

test('a socket in a tunnel is replayed', async () => {
  const cassette = await record(`wss://${HOST}`, (base) => talk(`${base}/v1/realtime`))
  expect(JSON.stringify(cassette)).not.toContain('"host"')
  const { session, token } = admit(cassette)
  const within = await secure(HOST, token)
  expect(await talk(`http://${HOST}/v1/realtime`, within)).toBe('heard {"type":"hello"}')
  await session.waitForAnswers()
  expect(session.misses).toEqual([])
})

test('a socket on which no model is asked is passed on, also at a host that the cassette knows', async () => {
  const cassette = await record(`http://${upstream}`, chat)
  listenAsOthers()
  const { session, token } = admit(cassette, { hosts: [] })
  const within = await tunnel(upstream, token)
  expect(await talk(`http://${upstream}/news`, within)).toBe('heard {"type":"hello"}')
  expect(session.misses).toEqual([])
})

test.for([
  ['a host in the cassette', 'llm.example', {}, true],
  ['a host of the options', '10.0.0.1:8443', { hosts: ['10.0.0.1'] }, true],
  ['an address of IPv6', '[fd00::1]:8443', { hosts: ['[fd00::1]'] }, true],
  ['a provider without TLS', `${HOST}:80`, {}, false],
] as const)('a tunnel to %s is answered', async ([, host, options, isSecure]) => {
  const cassette = await record(`http${isSecure ? 's' : ''}://${host.replace(/:80$/, '')}`, chat)
  const { token } = admit(cassette, options)
  const within = isSecure ? await secure(host, token) : await tunnel(host, token)
  expect(await post(`http://${host}/v1/chat/completions`, within)).toEqual([200, STREAM])
})

test('all other tunnels lead where they are meant to, and so do those of hosts that are let out', async () => {
  const known = await record(`http://${upstream}`, chat)
  for (const [cassette, options] of [
    [undefined, {}],
    [known, { allowHosts: ['127.0.0.1'] }],
  ] as const) {
    const { token } = admit(cassette, options)
    const [status] = await post(`http://${upstream}/any`, await tunnel(upstream, token))
    expect(status).toBe(200)
    expect(asked.at(-1)).toMatch(/^POST \/any/)
  }
})

test.for(['1.2', '1.3'])(
  'a program that does not believe the certificate fails its test, and is named with the way out: TLS %s',
  needs('curl'),
  async (version) => {
    const { session, token } = admit()
    const proxy = gateway.origin!.replace('//', `//${token}@`)
    const curl = spawn('curl', [
      '-s',
      '--tls-max',
      version,
      '-x',
      proxy,
      `https://${HOST}/v1/models`,
    ])
    // Its code for a certificate that it does not believe.
    expect(await once(curl, 'exit')).toEqual([60, null])
    await expect.poll(() => session.fault).toBeDefined()
    const { message, stack, code } = session.fault!
    expect(code).toBe('refused')
    for (const fact of ['agent', `asked ${HOST}`, `cassette.baseUrl('https://${HOST}/…')`])
      expect(message).toContain(fact)
    // What OpenSSL says differs in each run.
    const ofOpenSsl = /\([^()]*error:[^()]*\)/.exec(message)![0]
    await expectGolden(message, 'no-trust', { [ofOpenSsl]: '(<of OpenSSL>)' })
    expect(stack).toContain('tunnel-server.test.ts')
  },
)

test('what is asked by the proxy without TLS is answered where it is an LLM call, and otherwise sent on as it is', async () => {
  const cassette = await record('http://llm.example', chat)
  listenAsOthers()
  const { session, token } = admit(cassette, { hosts: [] })
  const byProxy = async (url: string): Promise<string> => {
    const { port } = new URL(gateway.origin!)
    const user = Buffer.from(`${token}:`).toString('base64')
    const headers = { 'proxy-authorization': `Basic ${user}`, cookie: 'mine' }
    const sent = ask({ port, path: url, method: 'POST', headers, agent: false })
    sent.end(BODY)
    return text(((await once(sent, 'response')) as [IncomingMessage])[0])
  }
  expect(await byProxy('http://llm.example/v1/chat/completions')).toBe(STREAM)
  expect(await byProxy(`http://${upstream}/page?of=mine`)).toBe(STREAM)
  expect(asked.at(-1)).toBe(`POST /page?of=mine mine${BODY}`)
  expect(await byProxy('http://127.0.0.1:9/page')).toContain('127.0.0.1:9')
  expect(await byProxy('http://other.example/v1/chat/completions')).toContain('[vitest-cassette]')
  expect(session.misses).toHaveLength(1)
  expect(asked).toHaveLength(2)
})
