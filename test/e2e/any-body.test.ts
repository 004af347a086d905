import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { needs } from '../needs.ts'
import { VitestProject } from './vitest-project.ts'

/** A server at a host that nobody listed, and the requests that reached it. */
let server: Server
let arrived: string[] = []
const bodiesOfHead: string[] = []
let project: VitestProject
let SERVER: string

beforeAll(async () => {
  server = createServer(async (request: IncomingMessage, response) => {
    const { method, url, headers } = request
    arrived.push(`${method} ${url}`)
    const body = await text(request)
    response.setHeader('content-type', 'application/json')
    if (method === 'HEAD') bodiesOfHead.push(body)
    response.end(JSON.stringify({ method, url, host: headers.host, body }))
  })
  new WebSocketServer({ server }).on('connection', (socket, { headers }) => {
    arrived.push('a socket')
    const { host, 'sec-websocket-protocol': protocols = '' } = headers
    socket.on('message', (_data, isBinary) =>
      socket.send(JSON.stringify({ host, protocols, isBinary })),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  project = new VitestProject('any-body', { SERVER })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('a request to the path of a provider at any host is a call, whatever its body holds', async () => {
  const run = await project.runTests(['unlisted'])
  expect(arrived).toEqual([])
  const passed = run.tests.filter(({ status }) => status !== 'failed').map(({ title }) => title)
  expect(passed).toEqual([])
  expect(run.output).toContain(`add '${new URL(SERVER).host}' to the option allowHosts`)
})

test('any prompt at an address that the cassette holds is compared with what was recorded there', async () => {
  const recording = await project.record(['held'], { HOSTS: new URL(SERVER).host })
  expect(recording.exitCode, recording.output).toBe(0)
  arrived = []
  expect((await project.run(['held'])).exitCode).toBe(0)
  const { tests } = await project.runTests(['held'], { MUTATE: '1' })
  expect(arrived).toEqual([])
  for (const { title, failureMessages } of tests)
    expect(failureMessages.join('\n'), title).toMatch(/The prompt changed: [^]+closest +exchange-1/)
})

test('the body of any method is sent, stored and compared', async () => {
  const HOSTS = new URL(SERVER).host
  const recording = await project.record(['methods'], { HOSTS })
  expect(recording.exitCode, recording.output).toBe(0)
  // Its response has no body that could tell.
  expect(bodiesOfHead).toEqual(['{"query":{"match":{"title":"lamps"}}}'])
  arrived = []
  const replay = await project.run(['methods'], { HOSTS })
  expect(replay.exitCode, replay.output).toBe(0)
  const { tests } = await project.runTests(['methods'], { HOSTS, WORD: 'chairs' })
  for (const { title, failureMessages } of tests)
    expect(failureMessages.join('\n'), title).toMatch(/The prompt changed: [^]+lamps[^]+chairs/)
  expect(arrived).toEqual([])
})

test('the host that a request names is sent, stored and compared', needs('curl'), async () => {
  const HOSTS = new URL(SERVER).host
  const recording = await project.record(['host'], { HOSTS, NAME: 'model-a.example' })
  expect(recording.exitCode, recording.output).toBe(0)
  arrived = []
  const named = await project.run(['host'], { HOSTS, NAME: 'model-a.example' })
  expect(named.exitCode, named.output).toBe(0)
  for (const NAME of ['model-b.example', undefined]) {
    const { tests } = await project.runTests(['host'], { HOSTS, NAME })
    const passed = tests.filter(({ status }) => status === 'passed').map(({ title }) => title)
    // These send the host of the address, whatever header they are given.
    expect(passed.filter((title) => !/^(?:fetch|child) /.test(title))).toEqual([])
  }
  expect(arrived).toEqual([])
})

test('a provider that is asked by name at another address is one, and gets what it is asked there', async () => {
  const recording = await project.record(['by-name'])
  expect(recording.exitCode, recording.output).toBe(0)
  arrived = []
  const replay = await project.run(['by-name'])
  expect(replay.exitCode, replay.output).toBe(0)
  const { tests } = await project.runTests(['by-name'], { WORD: 'Hello' })
  expect(tests.filter(({ status }) => status === 'passed')).toEqual([])
  expect(arrived).toEqual([])
})

/** The titles of the tests that passed over sockets, in a replay. */
async function passedSockets(environment: Record<string, string | undefined>): Promise<string[]> {
  arrived = []
  const { tests } = await project.runTests(['sockets'], environment)
  expect(arrived).toEqual([])
  return tests.filter(({ status }) => status === 'passed').map(({ title }) => title)
}

test('a socket goes to its address, and the host that it names is sent, stored and compared', async () => {
  const recording = await project.record(['sockets'], { NAME: 'model-a.example' })
  expect(recording.exitCode, recording.output).toBe(0)
  expect(await passedSockets({ NAME: 'model-a.example' })).toHaveLength(4)
  for (const NAME of ['model-b.example', undefined])
    expect(await passedSockets({ NAME })).toEqual(['the global WebSocket'])
})

test('the subprotocols of a socket count, and whether a frame is a text or bytes', async () => {
  const PROTOCOLS = 'realtime,openai-insecure-api-key.sk-4f9a7c2e8b1d6053'
  const recording = await project.record(['sockets'], { PROTOCOLS })
  expect(recording.exitCode, recording.output).toBe(0)
  for (const file of project.files())
    expect(project.read(`__recordings__/${file}`)).not.toContain('4f9a7c2e8b1d6053')
  const other = 'realtime,openai-insecure-api-key.sk-0d7e41b9c6a2f835,openai-organization.org-2'
  for (const same of [PROTOCOLS, other])
    expect(await passedSockets({ PROTOCOLS: same })).toHaveLength(4)
  for (const changed of ['', 'openai-beta.realtime-v1', 'realtime,openai-beta.realtime-v1'])
    expect(await passedSockets({ PROTOCOLS: changed })).toEqual([])
  expect(await passedSockets({ PROTOCOLS, BINARY: '1' })).toEqual([])
  const binary = await project.record(['sockets'], { BINARY: '1' })
  expect(binary.exitCode, binary.output).toBe(0)
  expect(await passedSockets({ BINARY: '1' })).toHaveLength(4)
  expect(await passedSockets({})).toEqual([])
})
