import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import type { Session } from '../../../src/engine/session.ts'
import { assembleCassette } from '../../../src/recording/assemble.ts'
import { Gateway } from '../../../src/transports/gateway.ts'
import { layers } from '../../../src/transports/layers.ts'
import { openExample } from '../../engine/example-session.ts'
import { attemptWith } from '../../attempt/example-attempt.ts'

const BODY = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })

let provider: Server
let upstream: string
let gateway: Gateway
let asked: string[]

beforeEach(async () => {
  asked = []
  provider = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${await text(request)}`)
    response.setHeader('content-type', 'application/json').end('{"choices":[]}')
  })
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  upstream = `127.0.0.1:${(provider.address() as AddressInfo).port}`
  gateway = new Gateway({ layers })
  await gateway.ready
})
afterEach(async () => {
  await gateway.close()
  provider.closeAllConnections()
  provider.close()
})

/** Lets a test in; gives its session, and its token. */
function admit(cassette?: Cassette): { session: Session; token: string } {
  const session = openExample(cassette, { mode: cassette ? 'replay' : 'all', hosts: [upstream] })
  const attempt = attemptWith(session)
  expect(attempt.session).toBe(session)
  return { session, token: new URL(gateway.admit(attempt)).pathname.slice(1) }
}

/** Posts over HTTP/2 without TLS, as curl does with --http2-prior-knowledge. */
async function post(path: string, body = BODY, within?: Socket): Promise<[number, string]> {
  const session = connectHttp2(
    gateway.origin!,
    within ? { createConnection: () => within } : undefined,
  )
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: path,
    'content-type': 'application/json',
  })
  stream.end(body)
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
  const answer = await text(stream)
  session.close()
  return [headers[':status'], answer]
}

test('HTTP/2 without TLS is recorded and replayed at the address of the gateway', async () => {
  const recording = admit()
  const path = `/http/${upstream}/v1/chat/completions`
  const body = BODY.replace(
    'Hi',
    `See ${gateway.origin}/${recording.token}/https/api.openai.com/v1`,
  )
  expect(await post(`/${recording.token}${path}`, body)).toEqual([200, '{"choices":[]}'])
  await recording.session.waitForAnswers()
  const cassette = assembleCassette(recording.session, new Date())!
  expect(JSON.stringify(cassette)).not.toContain(gateway.origin!)
  expect(asked).toEqual([
    `POST /v1/chat/completions ${BODY.replace('Hi', 'See https://api.openai.com/v1')}`,
  ])

  const { session, token } = admit(cassette)
  const same = BODY.replace('Hi', 'See https://api.openai.com/v1')
  expect(await post(`/${token}${path}`, same)).toEqual([200, '{"choices":[]}'])
  expect(session.misses).toEqual([])
  const [status, refusal] = await post(`/${token}${path}`)
  expect(status).toBe(400)
  expect(refusal).toContain('[vitest-cassette]')
  expect(session.misses).toHaveLength(1)
  expect(asked).toHaveLength(1)
})

test('an address of no program is refused with the reason', async () => {
  const [status, refusal] = await post('/v1/chat/completions')
  expect(status).toBe(400)
  expect(refusal).toContain(`${gateway.origin}, `)
})

test('HTTP/2 without TLS is answered in a tunnel to a host that the cassette knows', async () => {
  const { session, token } = admit(await recordOnce())
  const socket = connect(Number(new URL(gateway.origin!).port), '127.0.0.1')
  const user = Buffer.from(`${token}:`).toString('base64')
  socket.write(`CONNECT ${upstream} HTTP/1.1\r\nproxy-authorization: Basic ${user}\r\n\r\n`)
  await once(socket, 'data')
  expect(await post('/v1/chat/completions', BODY, socket)).toEqual([200, '{"choices":[]}'])
  expect(session.misses).toEqual([])
})

async function recordOnce(): Promise<Cassette> {
  const { session, token } = admit()
  await post(`/${token}/http/${upstream}/v1/chat/completions`)
  await session.waitForAnswers()
  return assembleCassette(session, new Date())!
}

test('the gateway closes connections on which nothing was said', async () => {
  const socket = connect(Number(new URL(gateway.origin!).port), '127.0.0.1')
  await once(socket, 'connect')
  await gateway.close()
  expect(await once(socket, 'close')).toEqual([false])
  gateway = new Gateway({ layers })
})
