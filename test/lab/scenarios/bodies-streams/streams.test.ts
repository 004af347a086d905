import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import OpenAI from 'openai'
import { request } from 'undici'
import { expect, test, vi } from 'vitest'
import { keep } from '../keep.ts'

const { ODD_URL } = process.env

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${ODD_URL}/v1` })

function stream(content: string, signal?: AbortSignal) {
  const messages = [{ role: 'user' as const, content }]
  return openai.chat.completions.create({ model: 'gpt-5', messages, stream: true }, { signal })
}

test('reads to the end', async () => {
  for await (const _ of await stream('slow 1'));
})

test('reads the beginning before there is an end', async () => {
  const pieces: unknown[] = []
  for await (const { choices } of await stream('held')) {
    pieces.push(choices[0]!.delta.content)
    // The provider holds the rest back until this is asked. In a replay there is none.
    if (pieces.length === 1) await fetch(`${ODD_URL}/go`).catch(() => {})
  }
  keep('held', pieces)
})

test('breaks out of the loop', async () => {
  for await (const chunk of await stream('slow 2')) {
    keep('first-chunk', chunk)
    break
  }
})

test('aborts in the middle', async () => {
  const controller = new AbortController()
  const pieces: unknown[] = []
  for await (const chunk of await stream('slow 3', controller.signal)) {
    pieces.push(chunk)
    controller.abort()
  }
  keep('aborted', pieces)
})

test('aborts before the answer', async () => {
  const controller = new AbortController()
  const answer = openai.chat.completions.create(
    { model: 'gpt-5', messages: [{ role: 'user', content: 'uneven 1 aborted' }] },
    { signal: controller.signal },
  )
  void delay(30).then(() => controller.abort())
  await expect(answer).rejects.toThrow('aborted')
})

/** Each client of a provider that keeps quiet, asked for an answer to a text. */
const clients: Record<string, (text: string, signal: AbortSignal) => Promise<AsyncIterable<any>>> =
  {
    fetch: async (text, signal) =>
      (await fetch(`${ODD_URL}/v1/chat/completions`, { ...posted(text), signal })).body!,
    undici: async (text, signal) =>
      (await request(`${ODD_URL}/v1/chat/completions`, { ...posted(text), signal })).body,
    'node:http': (text, signal) =>
      new Promise((resolve, reject) => {
        const { method, body } = posted(text)
        http
          .request(`${ODD_URL}/v1/chat/completions`, { method, signal }, resolve)
          .on('error', reject)
          .end(body)
      }),
    openai: (text, signal) => stream(text, signal),
  }

const names = Object.keys(clients)

test.concurrent.each(names)('%s gives up before an answer that never comes', async (name) => {
  await expect(clients[name]!(`mute ${name}`, AbortSignal.timeout(50))).rejects.toThrow()
})

test.concurrent.each(names)('%s gives up in a stream that goes silent', async (name) => {
  const body = await clients[name]!(`stuck ${name}`, AbortSignal.timeout(2_000))
  const { pieces, problem } = await readOf(body)
  // OpenAI's ends a stream that was aborted as if it had ended.
  expect(problem === undefined).toBe(name === 'openai')
  keep(`stuck-${name.replace(':', '-')}`, pieces)
})

test.concurrent.each(names)('%s leaves a stream that is kept open', async (name) => {
  const controller = new AbortController()
  for await (const _ of await clients[name]!(`stuck ${name} left`, controller.signal)) break
  controller.abort()
})

test('gives up by a timer that a test turns', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 60_000)
  const answer = clients.fetch!('mute by fake timers', controller.signal)
  answer.catch(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  await expect(answer).rejects.toThrow('aborted')
  vi.useRealTimers()
})

test('the faster of two answers wins again', async () => {
  const controller = new AbortController()
  const race = ['mute loser', 'slow winner'].map(async (text) => {
    await clients.fetch!(text, controller.signal)
    return text
  })
  for (const one of race) one.catch(() => {})
  expect(await Promise.race(race)).toBe('slow winner')
  controller.abort()
})

test.each(['cut', 'torn'])('a connection that breaks: %s', async (kind) => {
  const pieces: string[] = []
  let problem: unknown
  try {
    const response = await fetch(`${ODD_URL}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: kind }] }),
    })
    for await (const chunk of response.body!) pieces.push(Buffer.from(chunk).toString())
  } catch (error) {
    problem = (error as Error).message
  }
  keep(kind, { pieces, problem })
})

test('a connection that breaks under an SDK', async () => {
  const pieces: unknown[] = []
  await expect(async () => {
    for await (const chunk of await stream('cut sdk')) pieces.push(chunk)
  }).rejects.toThrow()
  keep('cut-sdk', pieces)
})

function posted(content: string) {
  const messages = [{ role: 'user', content }]
  return { method: 'POST' as const, body: JSON.stringify({ model: 'gpt-5', messages }) }
}

/** What can be read of a stream, and what it ended with. */
async function readOf(body: AsyncIterable<any>): Promise<{ pieces: string; problem?: unknown }> {
  let pieces = ''
  try {
    for await (const piece of body)
      pieces += piece.choices ? JSON.stringify(piece) : Buffer.from(piece).toString()
    return { pieces }
  } catch (problem) {
    return { pieces, problem }
  }
}
