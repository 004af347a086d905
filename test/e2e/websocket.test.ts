import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGeminiLive, type GeminiLive } from '../upstream/start-gemini-live.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { pools } from './pools.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let gemini: GeminiLive
let recorded: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  gemini = await startGeminiLive()
  recorded = new VitestProject('websocket', environment())
  recording = await recorded.record()
  await upstream.stop()
  await gemini.stop()
})

afterAll(() => upstream.stop())

test.each(pools)('sockets are recorded, and replayed without their providers: %s', async (POOL) => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recorded.files()).toHaveLength(6)
  const run = await recorded.run([], { POOL })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('24 replayed')
})

test('verify finds nothing in what was recorded', async () => {
  expect(await recorded.findings()).toEqual([])
})

test('each frame of the client is an exchange that follows the one before', () => {
  const wires = recorded
    .exchanges('gemini-live')
    .map(({ id, wire }) => [
      id,
      wire.request.method,
      wire.request.after,
      wire.response.body?.$lines.length ?? 0,
    ])
  expect(wires).toEqual([
    ['exchange-1', 'GET', undefined, 0],
    ['exchange-2', 'SEND', 'exchange-1', 1],
    ['exchange-3', 'SEND', 'exchange-2', 3],
  ])
})

test('every frame reads as what it says', () => {
  const texts = (slug: string): unknown[] =>
    recorded.exchanges(slug).map(({ prompt, response }) => [prompt.text, response.text])
  expect(texts('the-ws-package')).toEqual([
    ['GET /v1/realtime', ''],
    ['Hello', ''],
    ['SEND response.create', 'You said: Hello'],
    ['Again', ''],
    ['SEND response.create', 'You said: Again'],
  ])
  expect(texts('the-responses-api')).toEqual([
    ['GET /v1/responses', ''],
    ['Hello', 'You said: Hello'],
  ])
  expect(texts('gemini-live')).toEqual([
    [expect.stringContaining('BidiGenerateContent'), ''],
    ['SEND setup', ''],
    ['Hello', 'You said: Hello'],
  ])
  const [, , answered] = recorded.exchanges('gemini-live')
  expect(answered.response).toMatchObject({ finish_reasons: ['turnComplete'] })
  expect(answered.response).not.toHaveProperty('incomplete')
})

test('a socket is one conversation, whatever else is open', async () => {
  const { output } = await recorded.cli('show two-conversations --no-emoji')
  const [, one, two] = output.split(/--- thread-\d of 2.*---/)
  expect([...one!.matchAll(/(?:You said: .*|I am \w+|Same)$/gm)].map(String)).toEqual([
    'I am one',
    'You said: I am one',
    'Same',
    'You said: Same',
  ])
  expect(two).toContain('You said: I am two')
  expect(output).not.toMatch(/\(nothing\)|"type"/)
})

test('no key of a URL, a header or a protocol is stored', () => {
  for (const file of recorded.files())
    expect(recorded.read(`__recordings__/${file}`)).not.toMatch(/secret/)
})

test('a frame that differs is a miss: the socket closes with the reason, and the test fails', async () => {
  const project = new VitestProject(recorded.dir, environment())
  project.edit('sockets.test.ts', "say('Again')", "say('Anew')")
  const run = await project.run(['-t', 'the ws package'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('CassetteError: The prompt changed')
  expect(run.output).toContain('message 1 (user): text edited ("Again" → "Anew")')
  expect(run.output).toMatch(/- Again\n +\+ Anew/)
  expect(run.output).toContain('3 replayed | 1 missed')
  expect(run.output).not.toContain('timed out')
})

test('a socket that nobody recorded is closed at once', async () => {
  const project = new VitestProject('websocket', environment())
  const run = await project.run(['-t', '(the ws package|the global WebSocket)$'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('Nothing is recorded for this test')
  expect(run.output).not.toContain('timed out')
})

test('RECORD=new cannot continue a socket that is replayed, and says so', async () => {
  const project = new VitestProject(recorded.dir, environment())
  project.edit('sockets.test.ts', "say('Again')", "say('Anew')")
  const run = await project.run(['-t', 'the ws package'], { RECORD: 'new' })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('left its recording')
  expect(run.output).toContain('A socket that is replayed cannot be continued live')
})

function environment(): Record<string, string> {
  return {
    ENDPOINT: upstream.url,
    UPSTREAM_WS: upstream.url.replace('http', 'ws'),
    GEMINI_URL: gemini.url,
  }
}

test('a socket to a host of the options keeps no test waiting', async () => {
  const OPTIONS = JSON.stringify({ hosts: ['127.0.0.1', 'localhost'] })
  const run = await recorded.run(['-t', 'the global WebSocket'], { OPTIONS })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).not.toContain('was begun')
})
