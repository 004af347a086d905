import http from 'node:http'
import http2 from 'node:http2'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'
import { WebSocket as Ws } from 'ws'

const { ODD_URL } = process.env
const url = `${ODD_URL}/v1/chat/completions`
const realtime = `${ODD_URL!.replace('http', 'ws')}/v1/realtime`

/** What a client asks with; the caller owns it, and may change it after the call. */
export interface Owned {
  headers: Record<string, string>
  body: Buffer
}

/** A call that has begun: when its bytes were taken, as its client says, and its answer. */
export interface Call {
  taken?: Promise<unknown>
  answer: Promise<string>
}

function byHttp(
  request: http.ClientRequest,
  write: (request: http.ClientRequest, taken: () => void) => void,
): Call {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const answer = new Promise<string>((resolve, reject) => {
    request.on('response', (response) => resolve(text(response))).on('error', reject)
  })
  write(request, take)
  return { taken, answer }
}

function post(headers: http.OutgoingHttpHeaders | string[], agent?: http.Agent) {
  return http.request(url, { method: 'POST', headers: headers as http.OutgoingHttpHeaders, agent })
}

const keepAlive = new http.Agent({ keepAlive: true, maxSockets: 1 })

export const clients: Record<string, (owned: Owned) => Call> = {
  'node:http end': ({ headers, body }) =>
    byHttp(post(headers), (request, taken) => request.end(body, taken)),
  'node:http write': ({ headers, body }) =>
    byHttp(post(headers), (request, taken) => {
      request.write(body, () => {
        taken()
        request.end()
      })
    }),
  'node:http kept alive': ({ headers, body }) =>
    byHttp(post(headers, keepAlive), (request, taken) => request.end(body, taken)),
  'node:http array of headers': ({ headers, body }) => {
    const list = ['host', new URL(url).host, ...Object.entries(headers).flat()]
    list.push('content-length', String(body.length))
    const call = byHttp(post(list), (request, taken) => request.end(body, taken))
    list.fill('changed')
    return call
  },
  'node:http setHeaders': ({ headers, body }) => {
    const own = new Headers(headers)
    const request = post({})
    request.setHeaders(own)
    own.set('openai-organization', 'changed')
    return byHttp(request, (one, taken) => one.end(body, taken))
  },
  http2: ({ headers, body }) => {
    const session = http2.connect(ODD_URL!).on('error', () => {})
    const path = { ':method': 'POST', ':path': '/v1/chat/completions' }
    const own = Object.assign(headers, path)
    const stream = session.request(own)
    const { promise: taken, resolve } = Promise.withResolvers<void>()
    stream.end(body, resolve)
    return { taken, answer: text(stream).finally(() => session.close()) }
  },
  'undici.request': ({ headers, body }) => ({
    answer: undici.request(url, { method: 'POST', headers, body }).then((r) => r.body.text()),
  }),
  'undici.request list of headers': ({ headers, body }) => {
    const list = Object.entries(headers).flat()
    const call = {
      answer: undici
        .request(url, { method: 'POST', headers: list, body })
        .then((r) => r.body.text()),
    }
    list.fill('changed')
    return call
  },
  'undici.fetch': ({ headers, body }) => ({
    answer: undici
      .fetch(url, { method: 'POST', headers, body: body as unknown as string })
      .then((r) => r.text()),
  }),
  axios: ({ headers, body }) => {
    const config = { headers, responseType: 'text' as const, adapter: 'http' as const }
    const answer = axios.post(url, body, config).then(({ data }) => JSON.stringify(data))
    config.headers = { 'openai-organization': 'changed' }
    return { answer }
  },
  'axios by fetch': ({ headers, body }) => ({
    answer: axios
      .post(url, body, { headers, adapter: 'fetch', responseType: 'text' })
      .then(({ data }) => JSON.stringify(data)),
  }),
  got: ({ headers, body }) => ({
    answer: got.post(url, { headers, body, retry: { limit: 0 } }).text(),
  }),
  fetch: ({ headers, body }) => ({
    answer: fetch(url, { method: 'POST', headers, body: body as BufferSource }).then((r) =>
      r.text(),
    ),
  }),
  'fetch, of a buffer': ({ headers, body }) => {
    const bytes = new Uint8Array(body).buffer
    const answer = fetch(url, { method: 'POST', headers, body: bytes }).then((r) => r.text())
    new Uint8Array(bytes).fill(0)
    return { answer }
  },
  'fetch, of a form': ({ headers, body }) => {
    const form = new URLSearchParams({ body: String(body) })
    const answer = fetch(url, { method: 'POST', headers, body: form }).then((r) => r.text())
    form.set('body', 'changed')
    return { answer }
  },
  'fetch, of a Headers': ({ headers, body }) => {
    const own = new Headers(headers)
    const init = { method: 'POST', headers: own, body: String(body) }
    const answer = fetch(url, init).then((r) => r.text())
    own.set('openai-organization', 'changed')
    init.body = 'changed'
    return { answer }
  },
  'fetch, of a Headers in a Request': ({ headers, body }) => {
    const own = new Headers(headers)
    const request = new Request(url, { method: 'POST', headers: own, body: body as BufferSource })
    const answer = fetch(request).then((r) => r.text())
    request.headers.set('openai-organization', 'changed')
    return { answer }
  },
  'fetch, of a URL': ({ headers, body }) => {
    const own = new URL(url)
    const answer = fetch(own, { method: 'POST', headers, body: String(body) }).then((r) => r.text())
    own.pathname = '/v1/changed'
    return { answer }
  },
}

/** The clients of sockets: each sends a frame, and gives the answer to it. */
export const sockets: Record<string, () => Promise<(body: Buffer) => Promise<string>>> = {
  ws: async () => {
    const socket = new Ws(realtime)
    await new Promise((resolve) => socket.once('open', resolve))
    return (body) =>
      new Promise((resolve) => {
        socket.once('message', (data) => {
          socket.close()
          resolve(String(data))
        })
        socket.send(body)
      })
  },
  WebSocket: async () => {
    const socket = new WebSocket(realtime)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    return (body) =>
      new Promise((resolve) => {
        socket.addEventListener(
          'message',
          ({ data }) => {
            socket.close()
            resolve(String(data))
          },
          { once: true },
        )
        socket.send(body as BufferSource)
      })
  },
}
