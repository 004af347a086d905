import { getEventListeners } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import * as delivery from '../../../../src/transports/intercept/http/deliver-fetch.ts'
import {
  answerFetch,
  type FetchAnswers,
} from '../../../../src/transports/intercept/http/fetch-interceptor.ts'
import type { PlainRequest } from '../../../../src/transports/intercept/http/plain-request.ts'
import { interceptFetch } from '../../../../src/transports/intercept/patch/intercept-fetch.ts'

const original = globalThis.fetch

/** Answers with what it was sent, and is the measure of what the entrance has to see. */
let server: Server
let url: string
let asked: Request[]
let respond: (request: Request) => Response | undefined | Promise<Response | undefined>
let close: () => void

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    const { method, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, type: headers['content-type'], body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat?a=1`
})
afterAll(() => void server.close())

beforeEach(() => {
  asked = []
  respond = () => Response.json({ answered: true })
  const answers: FetchAnswers = {
    judge: (method, address) =>
      method === 'POST' && address.includes('/v1/chat') ? 'certain' : 'no',
    answer: (request) => answer(request instanceof Request ? request : made(request)),
    later: () => delivery,
  }
  close = interceptFetch(answers, () => ({ answerFetch }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  close()
  expect(globalThis.fetch).toBe(original)
})

async function answer(request: Request): Promise<Response | undefined> {
  asked.push(request)
  return respond(request)
}

function made({ url, headers, body }: PlainRequest): Request {
  return new Request(url, { method: 'POST', headers: [...headers], body })
}

function form(): FormData {
  const data = new FormData()
  data.set('file', new Blob(['sound']), 'a.mp3')
  data.set('model', 'whisper-1')
  return data
}

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (const chunk of chunks) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        controller.enqueue(new TextEncoder().encode(chunk))
      }
      controller.close()
    },
  })
}

type Call = () => [input: string | URL | Request, init?: RequestInit]

const calls: Array<[string, Call]> = [
  ['a text', () => [url, { method: 'POST', body: '{"a":1}' }]],
  ['a method in small letters', () => [new URL(url), { method: 'post', body: 'a' }]],
  ['no body', () => [url, { method: 'POST' }]],
  ['bytes', () => [url, { method: 'POST', body: new Uint8Array([97, 98]) }]],
  ['a blob', () => [url, { method: 'POST', body: new Blob(['{}'], { type: 'text/json' }) }]],
  ['a form', () => [url, { method: 'POST', body: form() }]],
  ['parameters', () => [url, { method: 'POST', body: new URLSearchParams({ a: 'ä b' }) }]],
  [
    'a late stream',
    () => [url, { method: 'POST', body: streamOf('{"a', '":1}'), duplex: 'half' } as RequestInit],
  ],
  ['a request', () => [new Request(url, { method: 'POST', body: 'x' })]],
  [
    'a request with another body',
    () => [new Request(url, { method: 'POST', body: 'x' }), { body: 'y', keepalive: true }],
  ],
  [
    'a request that becomes a POST',
    () => [new Request(url), { method: 'POST', body: 'y', headers: { 'content-type': 'a/b' } }],
  ],
]

test.each(calls)('sees what a server would see: %s', async (_, call) => {
  expect(await (await fetch(...call())).json()).toEqual({ answered: true })
  const request = asked[0]!
  const seen = {
    method: request.method,
    type: request.headers.get('content-type') ?? undefined,
    body: await request.text(),
  }
  const passed = (await (await original(...call())).json()) as object
  const plain = (value: object): string =>
    JSON.stringify(value).replaceAll(/-+formdata-undici-\d+/g, 'boundary')
  expect(plain(seen)).toBe(plain(passed))
})

test('a request is used up by it, and one that is used up is an error', async () => {
  const request = new Request(url, { method: 'POST', body: 'x' })
  await fetch(request)
  expect(request.bodyUsed).toBe(true)
  await expect(fetch(request)).rejects.toThrow(TypeError)
  expect(asked).toHaveLength(1)
})

test('what it does not answer goes its own way, with its body', async () => {
  expect(await (await fetch(url)).json()).toMatchObject({ method: 'GET' })
  expect(asked).toEqual([])
  respond = () => undefined
  expect(await (await fetch(url, { method: 'POST', body: 'mine' })).json()).toMatchObject({
    body: 'mine',
  })
  await expect(fetch('not an address', { method: 'POST' })).rejects.toThrow(TypeError)
})

test('an answer says of itself what one of fetch says, and so does its clone', async () => {
  const init = { method: 'POST', body: 'x' }
  const say = ({ url, type, redirected, status, ok, bodyUsed }: Response): object => ({
    said: [url, type, redirected, status, ok, bodyUsed],
  })
  const response = await fetch(`${url}#part`, init)
  const real = await original(`${url}#part`, init)
  expect(response).toBeInstanceOf(Response)
  expect(say(response)).toEqual(say(real))
  const clone = response.clone()
  expect(say(clone.clone())).toEqual(say(real))
  expect([await response.json(), await clone.json()]).toEqual([
    { answered: true },
    { answered: true },
  ])
})

test('a connection that fails is an error of fetch', async () => {
  respond = () => Response.error()
  await expect(fetch(url, { method: 'POST' })).rejects.toThrow(new TypeError('fetch failed'))
})

test('what fails in answering rejects once, and nothing is left unhandled', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const controller = new AbortController()
  respond = async () => {
    await Promise.resolve()
    controller.abort(new Error('enough'))
    throw new Error('broken')
  }
  await expect(fetch(url, { method: 'POST', signal: controller.signal })).rejects.toThrow('enough')
  await expect(fetch(url, { method: 'POST' })).rejects.toThrow('broken')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(unhandled).not.toHaveBeenCalled()
})

test('an abort before the call asks nothing', async () => {
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(fetch(url, { method: 'POST', signal })).rejects.toThrow('enough')
  const request = new Request(url, { method: 'POST', signal })
  await expect(fetch(request)).rejects.toThrow('enough')
  expect(asked).toEqual([])
  expect((await fetch(request, { signal: null })).status).toBe(200)
})

test('an abort breaks off what is not read yet, and a whole answer leaves nothing on the signal', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const cancel = vi.fn()
  const init = { method: 'POST', signal }
  expect(await (await fetch(url, init)).json()).toEqual({ answered: true })
  // Every request follows its signal, as those of fetch do.
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)

  respond = () =>
    new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode('one')),
        cancel,
      }),
    )
  const reader = (await fetch(url, init)).body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('one')
  const next = reader.read()
  controller.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
  expect(cancel).toHaveBeenCalledOnce()
})

test('who stops reading stops the answer', async () => {
  const cancel = vi.fn()
  respond = () => new Response(new ReadableStream({ cancel }))
  for (const signal of [undefined, new AbortController().signal]) {
    const response = await fetch(url, { method: 'POST', ...(signal && { signal }) })
    await response.body!.cancel('no more')
  }
  expect(cancel.mock.calls).toEqual([['no more'], ['no more']])
})

test('an answer needs no timers', async () => {
  vi.useFakeTimers()
  const response = await fetch(url, { method: 'POST', body: form() })
  expect(await response.json()).toEqual({ answered: true })
})

test('a stub of the user stands before it, and a spy sees the calls that it answers', async () => {
  vi.stubGlobal('fetch', () => 'stubbed')
  expect(fetch(url, { method: 'POST' })).toBe('stubbed')
  vi.unstubAllGlobals()
  const spy = vi.spyOn(globalThis, 'fetch')
  expect(await (await fetch(url, { method: 'POST' })).json()).toEqual({ answered: true })
  expect(spy).toHaveBeenCalledOnce()
})

test('once it is closed it answers nothing, also where a spy puts it back', async () => {
  const spy = vi.spyOn(globalThis, 'fetch')
  close()
  spy.mockRestore()
  expect(await (await fetch(url, { method: 'POST' })).json()).toMatchObject({ method: 'POST' })
  expect(asked).toEqual([])
  globalThis.fetch = original
})
