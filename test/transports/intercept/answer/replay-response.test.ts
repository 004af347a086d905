import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as delivery from '../../../../src/transports/intercept/http/deliver-fetch.ts'
import {
  answerFetch,
  type FetchAnswers,
} from '../../../../src/transports/intercept/http/fetch-interceptor.ts'
import { interceptFetch } from '../../../../src/transports/intercept/patch/intercept-fetch.ts'
import { silence } from '../../../../src/transports/intercept/answer/recorded-stream.ts'
import { replayResponse } from '../../../../src/transports/intercept/answer/replay-response.ts'
import { readBody } from '../../../../src/wire/read-body.ts'

const url = 'https://api.openai.com/v1/chat/completions'

let respond: () => Response
let close: () => void

beforeAll(() => {
  const answers: FetchAnswers = {
    judge: () => 'certain',
    answer: async () => respond(),
    later: () => delivery,
  }
  close = interceptFetch(answers, () => ({ answerFetch }))
})
afterAll(() => close())

const anyText = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => !/[\r\n\u2028\u2029]/.test(text))

test('any events are replayed with the same boundaries, one event a chunk', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyText, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (texts, hasSignal) => {
        const events = texts.map((text) => `data: ${text}\n\n`)
        const type = 'text/event-stream'
        const body = readBody(Buffer.from(events.join('')), type)
        respond = () => replayResponse({ status: 200, headers: { 'content-type': type }, body })
        const { signal } = new AbortController()
        const response = await fetch(url, { method: 'POST', ...(hasSignal && { signal }) })
        const chunks: string[] = []
        for await (const chunk of response.body!) chunks.push(Buffer.from(chunk).toString())
        expect(chunks).toEqual(events)
      },
    ),
    { numRuns: 50 },
  ))

test('any split of an answer into chunks arrives as it is', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 12 }),
      fc.boolean(),
      async (pieces, hasSignal) => {
        respond = () => new Response(Readable.toWeb(Readable.from(pieces)) as ReadableStream)
        const { signal } = new AbortController()
        const response = await fetch(url, { method: 'POST', ...(hasSignal && { signal }) })
        const chunks: Uint8Array[] = []
        for await (const chunk of response.clone().body!) chunks.push(chunk)
        expect(chunks).toEqual(pieces)
        expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(pieces))
      },
    ),
    { numRuns: 50 },
  ))

test.each([0, 1, 2])(
  'where a client gave up after %i events, an answer is silent',
  async (aborted) => {
    const type = 'text/event-stream'
    const events = ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']
    const body = readBody(Buffer.from(events.join('')), type)
    const { signal, abort } = withAbort()
    respond = () => replayResponse({ status: 200, headers: {}, body, aborted }, { url, signal })
    const response = await fetch(url, { method: 'POST', signal })
    const reader = response.body!.getReader()
    for (const event of events.slice(0, aborted))
      expect(Buffer.from((await reader.read()).value!).toString()).toBe(event)
    const more = reader.read()
    const first = await Promise.race([more, delay(20, 'silence')])
    abort(new Error('enough'))
    expect(first).toBe('silence')
    await expect(more).rejects.toThrow('enough')
  },
)

test.each([{ cut: true }, { aborted: 0 }] as const)(
  'an answer that breaks off has a framing, or it would read as whole: %o',
  (ending) => {
    const headers = { 'content-type': 'text/plain' }
    const body = { kind: 'text', text: 'Hel' } as const
    const { headers: sent } = replayResponse({ status: 200, headers, body, ...ending })
    expect(Object.fromEntries(sent)).toEqual({ ...headers, 'transfer-encoding': 'chunked' })
  },
)

test('each cookie of an answer is a header of its own', () => {
  const headers = { 'set-cookie': 'a=1; Path=/\nb=2' }
  const response = replayResponse({ status: 200, headers, body: { kind: 'empty' } })
  expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
})

test('where a client gave up before the headers, nothing answers until it does again', async () => {
  const { signal, abort } = withAbort()
  const answer = silence(signal)
  expect(await Promise.race([answer, delay(20, 'silence')])).toBe('silence')
  abort(new Error('enough'))
  expect((await answer).type).toBe('error')
})

function withAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) }
}

test.each([
  ['each', { eachMs: 20 }],
  ['all', { allMs: 60 }],
])('chunks are held back, and an abort ends the wait: %s', async (_, pace) => {
  const events = ['one', 'two', 'three'].map((text) => `data: ${text}\n\n`)
  const headers = { 'content-type': 'text/event-stream' }
  const body = readBody(Buffer.from(events.join('')), headers['content-type'])
  respond = () => replayResponse({ status: 200, headers, body }, undefined, pace)
  const times: number[] = []
  const began = performance.now()
  for await (const chunk of (await fetch(url, { method: 'POST' })).body!) {
    expect(Buffer.from(chunk).toString()).toBe(events[times.length])
    times.push(performance.now() - began)
  }
  for (const [at, time] of times.entries()) expect(time).toBeGreaterThan(18 * (at + 1))
  const { signal } = new AbortController()
  respond = () =>
    replayResponse(
      { status: 200, headers, body },
      { url, signal: AbortSignal.timeout(20) },
      { eachMs: 1e6 },
    )
  await expect((await fetch(url, { method: 'POST', signal })).text()).rejects.toThrow(/abort/i)
})
