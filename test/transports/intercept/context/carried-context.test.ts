import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { createServer, request, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Attempt } from '../../../../src/attempt/attempt.ts'
import {
  headerOfRequest,
  requestListeners,
  setHeader,
  takeContext,
  type NodeRequest,
} from '../../../../src/transports/intercept/context/carried-context.ts'
import {
  handOver,
  newContext,
  others,
} from '../../../../src/transports/intercept/context/request-context.ts'
import { runInScope } from '../../../../src/transports/scope.ts'

const server = createServer((asked, response) => {
  const { marked, other } = asked.headers
  asked.resume().on('end', () => response.end(JSON.stringify({ marked, other })))
})
let port: number

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

const CHANNEL = 'http.client.request.created'

test.each<[string, RequestOptions['headers'], string]>([
  ['given by name', { other: 'one' }, ''],
  ['given as a list', ['Host', 'api.example', 'Other', 'one'], 'api.example'],
  [
    'of a request that expects to be told to continue',
    { other: 'one', expect: '100-continue' },
    '',
  ],
  [
    'of both kinds',
    ['Host', 'api.example', 'Other', 'one', 'Expect', '100-continue'],
    'api.example',
  ],
])('a header is added to headers %s', async (_, headers, host) => {
  let named: string | undefined
  const mark = (message: unknown): void => {
    const { request } = message as { request: NodeRequest }
    named = headerOfRequest(request, 'host')
    setHeader(request, 'marked', 'yes')
  }
  subscribe(CHANNEL, mark)
  onTestFinished(() => void unsubscribe(CHANNEL, mark))
  const client = request({ port, host: '127.0.0.1', method: 'POST', headers })
  client.end('body')
  const [response] = await once(client, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  expect(JSON.parse(text)).toEqual({ marked: 'yes', other: 'one' })
  expect(named).toBe(host === '' ? `127.0.0.1:${port}` : host)
})

test('what fetch asks when it follows a redirect belongs to the test that was redirected, on a connection of an earlier one too', () => {
  const [earlier, running] = [{}, {}] as [Attempt, Attempt]
  const address = 'http://127.0.0.1:4242/v1/chat/completions'
  const redirect = new Response(null, { status: 307, headers: { location: '/other' } })
  const context = runInScope(running, () => newContext(`POST ${address}`))
  const asked = handOver(new Request(address), context, redirect)
  const again = new Request('http://127.0.0.1:4242/other', { headers: asked.headers })
  runInScope(earlier, () => {
    expect(takeContext(asked)).toMatchObject({ scope: running, order: context.order })
    const followed = takeContext(again)
    expect(followed.scope).toBe(running)
    expect(followed.order).toBeGreaterThan(context.order)
    expect(takeContext(new Request(address)).scope).toBe(earlier)
  })
  expect([...again.headers]).toEqual([])
})

test.each([
  ['whose answer nobody here has seen', {}, 1],
  ['that becomes a socket, which is recorded itself', { upgrade: 'websocket' }, 0],
])('a request counts as answered by a mock: %s', (_, headers, count) => {
  const answer = vi.fn()
  others.answer = answer
  onTestFinished(() => void (others.answer = undefined))
  const given = new Map<string, unknown>(Object.entries(headers))
  const asked = Object.assign(new EventEmitter(), {
    method: 'GET',
    protocol: 'http:',
    host: '127.0.0.1:4242',
    path: '/v1/realtime',
    res: {},
    getHeader: (name: string) => given.get(name),
    setHeader: (name: string, value: string) => given.set(name, value),
  })
  requestListeners(() => true)['http.client.request.created']!({ request: asked } as never)
  asked.emit('close')
  expect(answer).toHaveBeenCalledTimes(count)
})
