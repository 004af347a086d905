import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import type { Session } from '../../../src/engine/session.ts'
import { Gateway, type GatewayOptions } from '../../../src/transports/gateway.ts'
import { layers } from '../../../src/transports/layers.ts'
import { openExample } from '../../engine/example-session.ts'
import { attemptWith } from '../../attempt/example-attempt.ts'
import { listenAsOthers } from '../listen-as-others.ts'
import { expectGolden } from '../../golden.ts'

let provider: Server
let upstream: string
/** What the provider was asked. */
let asked: Array<{ url: string }>
let warn: MockInstance

beforeEach(async () => {
  listenAsOthers()
  asked = []
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  provider = createServer(({ url = '' }, response) => {
    asked.push({ url })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterEach(async () => {
  warn.mockRestore()
  await served.close()
  provider.closeAllConnections()
  provider.close()
})

const TOKEN = 'a-token-that-nobody-can-guess'
const model = '/https/api.openai.com/v1/chat/completions'
let served: Gateway
let session: Session
/** The first part of the path of its addresses. */
let first: string

async function serve(token: string, options: Partial<GatewayOptions> = {}): Promise<void> {
  served = new Gateway({ layers, pages: [], ...options })
  await served.ready
  session = openExample(undefined, { mode: 'all' })
  served.admit(attemptWith(session), token)
  first = token === '' ? '' : `/${token}`
}
const here = (): string => served.origin!
/** The address of a model that answers here. */
const own = (): string => `${here()}${first}/http/${new URL(upstream).host}/v1/messages`

function send(
  url: string,
  headers: Record<string, string> = {},
  options: object = {},
): Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }> {
  const hasBody = !('method' in options) || options.method === 'POST'
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>()
  ask(url, { method: 'POST', headers, agent: false, ...options }, async (response) => {
    const { statusCode: status = 0 } = response
    resolve({ status, text: await text(response), headers: response.headers })
  })
    .on('error', reject)
    .end(hasBody ? JSON.stringify({ model: 'm', messages: [] }) : undefined)
  return promise
}

const proxied = (): Record<string, string> => ({
  'proxy-authorization': `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`,
})

test.for<[how: string, path: () => string, headers?: () => Record<string, string>]>([
  ['without the token', () => model],
  ['with another token', () => `/another-token-of-some-length${model}`],
  ['of a web page', () => own(), () => ({ origin: 'https://evil.example' })],
  ['of a page of this machine', () => own(), () => ({ origin: 'http://localhost:5173' })],
  ['of a page without an origin', () => own(), () => ({ origin: 'null' })],
  ['of a picture in a page', () => own(), () => ({ 'sec-fetch-site': 'cross-site' })],
  ['of a page with its own name', () => own(), () => ({ host: 'evil.example' })],
  ['with half its own name', () => own(), () => ({ host: 'evil.example@127.0.0.1' })],
  ['with a path as its name', () => own(), () => ({ host: '127.0.0.1/evil.example' })],
  [
    'as to a proxy with the token, of a page',
    () => `${upstream}/v1/messages`,
    () => ({ ...proxied(), origin: 'null' }),
  ],
  ['to a service of this machine', () => `${first}/http/${new URL(upstream).host}/secrets`],
  ['to a caught address', () => `${first}/caught/http/${new URL(upstream).host}/secrets`],
  ['as to a proxy', () => `${upstream}/secrets`],
  ['as to a proxy, to a model', () => `${upstream}/v1/messages`],
])('a request %s is refused', async ([, path, headers = () => ({})]) => {
  await serve(TOKEN)
  const asks = path()
  const direct = asks.startsWith(here()) ? asks.slice(here().length) : asks
  for (const method of ['POST', 'GET', 'OPTIONS', 'PUT']) {
    const answered = await send(here(), headers(), { method, path: direct })
    expect(answered.status).toBe(400)
    expect(answered.headers).not.toHaveProperty('access-control-allow-origin')
  }
  expect(asked).toEqual([])
  expect(session.asked).toEqual([])
})

test('a refused page is named, once', async () => {
  await serve(TOKEN)
  for (let count = 0; count < 3; count++) await send(own(), { origin: 'https://once.example' })
  const [[said]] = warn.mock.calls as [[string]]
  expect(warn).toHaveBeenCalledOnce()
  expect(said).toContain('https://once.example')
  await expectGolden(said, 'refused-page')
})

test('a request of a program is answered, and one to no model fails the cassette', async () => {
  await serve(TOKEN)
  const answered = await send(own())
  expect([answered.status, asked.map(({ url }) => url)]).toEqual([200, ['/v1/messages']])
  expect(session.fault).toBeUndefined()
  await send(`${here()}${first}/http/localhost:${new URL(upstream).port}/secrets`)
  expect(asked).toHaveLength(1)
  expect(session.fault).toMatchObject({ code: 'refused' })
  expect(session.fault?.message).toContain('/secrets ')
  const steady = { [new URL(upstream).port]: '<port>' }
  await expectGolden(session.fault!.message, 'no-llm-call', steady)
})

test('a page that may ask may read the answer, and no other page', async () => {
  await serve(TOKEN, { pages: ['http://localhost:5173'] })
  const origin = 'http://localhost:5173'
  for (const method of ['OPTIONS', 'POST']) {
    const { headers } = await send(own(), { origin }, { method })
    expect(headers['access-control-allow-origin']).toBe(origin)
  }
  expect((await send(own(), { origin: 'http://localhost:5174' })).status).toBe(400)
})

test.for([
  ['without the token', () => `${here()}${model.replace('/chat/completions', '/realtime')}`, {}],
  ['of a page', own, { origin: 'https://evil.example' }],
  ['with its own name', own, { host: 'evil.example' }],
] as Array<[string, () => string, object]>)('a socket %s is refused', async ([, at, headers]) => {
  await serve(TOKEN)
  const socket = new WebSocket(at().replace(/^http/, 'ws'), [], { headers } as ClientOptions)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  socket.on('error', resolve).on('open', resolve)
  expect(await promise).toBeInstanceOf(Error)
  expect(asked).toEqual([])
})

test.for<[token: string, headers: () => Record<string, string>]>([
  [TOKEN, () => ({})],
  ['', () => ({})],
])('a tunnel to a service is refused', async ([token, headers]) => {
  await serve(token)
  const { host } = new URL(upstream)
  const socket = connect(Number(new URL(here()).port), '127.0.0.1')
  socket.on('error', () => {})
  const fields = Object.entries({ host, ...headers() }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`CONNECT ${host} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`)
  expect(await text(socket)).toBe('')
})

test('a program that has the token in its proxy reaches other servers, by a tunnel too', async () => {
  await serve(TOKEN)
  await send(here(), { ...proxied(), host: 'any.example' }, { path: `${upstream}/other` })
  expect(asked.map(({ url }) => url)).toEqual(['/other'])
  const { host } = new URL(upstream)
  const socket = connect(Number(new URL(here()).port), '127.0.0.1')
  const [name, value] = Object.entries(proxied())[0]!
  socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n${name}: ${value}\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^HTTP\/1\.1 200/)
  socket.destroy()
  expect(session.fault).toBeUndefined()
})

test('a model that is asked as through a proxy with the token is answered', async () => {
  await serve(TOKEN)
  const headers = { ...proxied(), host: 'llm.example' }
  const answered = await send(here(), headers, { path: `${upstream}/v1/messages` })
  expect([answered.status, asked.length]).toEqual([200, 1])
})

test('in the place of one server it is as strict with pages, and takes every path', async () => {
  await serve('')
  served.standFor(upstream)
  expect((await send(`${here()}/any`, { origin: 'https://evil.example' })).status).toBe(400)
  expect((await send(`${here()}/any`, { host: 'evil.example' })).status).toBe(400)
  expect(asked).toEqual([])
  expect((await send(`${here()}/any`)).status).toBe(200)
})

test('the port of a test that cannot be told apart is as strict with pages, without a token', async () => {
  await serve('', { pages: undefined })
  expect((await send(own(), { origin: 'https://evil.example' })).status).toBe(400)
  expect((await send(own())).status).toBe(200)
  const secret = `${here()}/http/localhost:${new URL(upstream).port}/secrets`
  expect((await send(secret)).status).toBe(400)
  expect(asked).toHaveLength(1)
})

test('a page of a test, which knows its token, may read the answer, and no other page', async () => {
  await serve('a-token-of-a-test', { pages: undefined })
  const origin = 'http://localhost:63315'
  const response = await fetch(own(), {
    method: 'POST',
    body: '{}',
    headers: { origin },
  })
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  const plain = await fetch(own(), { method: 'POST', body: '{}' })
  expect(plain.headers.has('access-control-allow-origin')).toBe(false)
})
