import { connect } from 'node:http2'
import { request } from 'node:https'
import { connect as connectTls } from 'node:tls'
import { test } from 'bun:test'
import WebSocketOfWs from 'ws'

const HOST = 'api.openai.com'
const URL = `https://${HOST}/v1/chat/completions`
const SOCKET = `wss://${HOST}/v1/realtime?model=gpt-realtime`
const BODY = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}]}'

type Settled = (value?: unknown) => void
const session = new (
  Bun as unknown as { FetchSession: new () => { fetch: typeof fetch } }
).FetchSession()

/** Each asks the provider by its name, and swallows what becomes of it. */
const ways: Record<string, (done: Settled) => unknown> = {
  fetch: () => fetch(URL, { method: 'POST', body: BODY }),
  'Bun.fetch': () => Bun.fetch(URL, { method: 'POST', body: BODY }),
  FetchSession: () => session.fetch(URL, { method: 'POST', body: BODY }),
  'node:https': (done) => request(URL, { method: 'POST' }, done).on('error', done).end(BODY),
  'node:http2': (done) => {
    const asked = connect(`https://${HOST}`)
      .on('error', done)
      .request({ ':method': 'POST', ':path': '/v1/chat/completions' })
    asked.on('response', done).on('error', done).end(BODY)
  },
  'node:tls': (done) => connectTls(443, HOST).on('secureConnect', done).on('error', done),
  'Bun.connect': () => Bun.connect({ hostname: HOST, port: 443, socket: { data() {} } }),
  WebSocket: (done) => Object.assign(new WebSocket(SOCKET), { onopen: done, onerror: done }),
  ws: (done) => new WebSocketOfWs(SOCKET).on('open', done).on('error', done),
  'a program': () =>
    Bun.spawn([process.execPath, '-e', `require('node:https').get('${URL}').on('error', () => {})`])
      .exited,
}

for (const [name, ask] of Object.entries(ways))
  test(`asks by ${name}`, async () => {
    await new Promise((resolve) => {
      Promise.resolve(ask(resolve)).then(
        (left) => left instanceof Response && resolve(left),
        resolve,
      )
      setTimeout(resolve, 1500)
    })
  })
