import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cassette } from '../../../../src/cassette/cassette.ts'
import { assembleCassette } from '../../../../src/recording/assemble.ts'
import { answer } from '../../../../src/transports/answer.ts'
import { openExample } from '../../../engine/example-session.ts'
import { attemptWith } from '../../../attempt/example-attempt.ts'
import { onlyReplayed } from '../../../../src/engine/adopt.ts'
import { layers } from '../../../../src/transports/layers.ts'
import { listenAsOthers } from '../../listen-as-others.ts'

const CHAT = ['POST', '/v1/chat/completions'] as const
const BATCH = ['GET', '/v1/batches/batch_1'] as const
const IMAGE = ['POST', '/v1/images/generations'] as const

let server: Server
let host: string
let sent: string[]

beforeEach(async () => {
  listenAsOthers()
  sent = []
  server = createServer((request, response) => {
    sent.push(request.url!)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: request.url, choices: [{ message: { content: 'Hi' } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
})

/** Asks in one test; says of each request what answered it, and what the test then has recorded. */
async function ask(
  requests: ReadonlyArray<readonly [method: string, path: string]>,
  cassette?: Cassette,
  options: object = {},
) {
  const session = openExample(cassette, { mode: cassette ? 'replay' : 'all', ...options })
  const attempt = attemptWith(session)
  // Opens it, with its options.
  expect(attempt.session).toBe(session)
  const answers: unknown[] = []
  for (const [order, [method, path]] of requests.entries()) {
    const messages = [{ role: 'user', content: 'Hello' }]
    const body = method === 'POST' ? JSON.stringify({ model: 'gpt-5', messages }) : undefined
    const request = new Request(`http://${host}${path}`, { method, body })
    const response = await answer(request, { scope: attempt, order }, session.config, layers)
    answers.push(response ? [response.status, (await response.json()).id] : 'passed')
  }
  await session.waitForAnswers()
  return { answers, session, cassette: assembleCassette(session, new Date()) }
}

test('once a host has answered an LLM call, its other requests are recorded, and replayed', async () => {
  const requests = [CHAT, BATCH, IMAGE]
  const recording = await ask(requests)
  const answers = requests.map(([, path]) => [200, path])
  expect(recording.answers).toEqual(answers)
  expect(recording.cassette!.exchanges).toHaveLength(3)
  sent = []
  const replay = await ask(requests, recording.cassette)
  expect(replay.answers).toEqual(answers)
  expect(onlyReplayed(replay.session)).toBe(true)
  expect(sent).toEqual([])
  const other = await ask([CHAT, ['GET', '/v1/batches/batch_2']], recording.cassette)
  expect(other.answers[1]).toEqual([400, undefined])
  expect(sent).toEqual([])
})

test.each([
  '/v1/images/generations',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/moderations',
  '/v1/videos',
])('a gateway that is asked for %s alone is recorded, and replayed', async (path) => {
  const recording = await ask([
    ['POST', path],
    ['GET', `${path}/1`],
  ])
  expect(recording.cassette?.exchanges).toHaveLength(2)
  sent = []
  const replay = await ask([['POST', path]], recording.cassette)
  expect(replay.answers).toEqual([[200, path]])
  expect(sent).toEqual([])
})

test('where only LLM calls were recorded, as older releases did, the others pass as they did', async () => {
  const { cassette } = await ask([CHAT])
  const { answers, session } = await ask([CHAT, BATCH], cassette)
  expect(answers).toEqual([[200, CHAT[1]], 'passed'])
  expect(onlyReplayed(session)).toBe(true)
})

test('what came before the first LLM call is named, with the option that records it', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { answers } = await ask([BATCH, CHAT, BATCH])
  expect(answers[0]).toBe('passed')
  expect(warn.mock.calls.join()).toContain(`GET http://${host}/v1/batches/batch_1`)
  expect(warn.mock.calls.join()).toContain(`cassettes({ hosts: ['${host}'] })`)
  warn.mockClear()
  const named = await ask([BATCH, CHAT], undefined, { hosts: [host] })
  expect(named.answers[0]).toEqual([200, BATCH[1]])
  expect(warn).not.toHaveBeenCalled()
})

test('hosts of allowHosts, and hosts that no model was asked at, stay their own', async () => {
  const allowed = await ask([CHAT, BATCH], undefined, { allowHosts: [host] })
  expect(allowed.answers).toEqual(['passed', 'passed'])
  const { answers } = await ask([BATCH, BATCH])
  expect(answers).toEqual(['passed', 'passed'])
})
