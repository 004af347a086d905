import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Recording } from '../../../../src/engine/recording.ts'
import { recordUpstream } from '../../../../src/transports/intercept/answer/upstream.ts'
import { redactorFor } from '../../../../src/secrets/redactor.ts'
import { question } from '../../../engine/example-session.ts'
import { startUpstream, type Upstream } from '../../../upstream/start-upstream.ts'

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

const never = (): Promise<Response> => new Promise(() => {})

test.for(['Hello', 'slow'])(
  'who has read an answer to its end finds it recorded: %s',
  async (text) => {
    let kept = 0
    const recording: Recording = { incoming: question(text), keep: async () => void kept++ }
    const body = new TextEncoder().encode(
      JSON.stringify({ messages: [{ role: 'user', content: text }] }),
    )
    const url = `${upstream.oddUrl}/v1/chat/completions`
    const redactor = redactorFor([], new URL(url), [])
    const response = await recordUpstream(
      { method: 'POST', url, headers: new Headers(), body: body.buffer },
      { action: 'record' as const, recording, done: () => {} },
      redactor,
      never,
    )
    await response.text()
    expect(recording).toMatchObject({ durationMs: expect.any(Number) })
    expect(kept).toBe(1)
  },
)

test('a host that cannot be reached twice is refused, so that no SDK tries again', async () => {
  const url = 'https://llm.invalid/v1/chat/completions'
  const statuses: number[] = []
  const recordings: Recording[] = []
  for (let count = 0; count < 3; count++) {
    const recording: Recording = { incoming: question('Hello'), keep: async () => {} }
    recordings.push(recording)
    const { status } = await recordUpstream(
      { method: 'POST', url, headers: new Headers(), body: new ArrayBuffer(0) },
      { action: 'record' as const, recording, done: () => {} },
      redactorFor([], new URL(url), []),
      never,
    )
    statuses.push(status)
  }
  expect(statuses).toEqual([0, 400, 400])
  expect(recordings.every(({ error }) => error)).toBe(true)
})

test('the answer to a HEAD keeps the size that it names', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-length': 9 }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/models`
  const { headers } = await recordUpstream(
    { method: 'HEAD', url, headers: new Headers(), body: new ArrayBuffer(0) },
    {
      action: 'record' as const,
      recording: { incoming: question('Hello'), keep: async () => {} },
      done: () => {},
    },
    redactorFor([], new URL(url), []),
    never,
  )
  expect(headers.get('content-length')).toBe('9')
})
