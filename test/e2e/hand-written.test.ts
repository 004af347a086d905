import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cassettePath } from '../../src/cassette/paths.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const call = (city: string): object => ({ tool_name: 'weather', parameters: { city } })
const hello = { prompt: { text: 'Hello?' }, response: { text: 'Hi there.' } }
const hat = { text: 'Do I need a hat?' }
const loop = [
  { prompt: hat, response: { text: 'Let me see.', tool_calls: [call('Ulm'), call('Bern')] } },
  { prompt: hat, response: { text: 'Take your hat,\nand an umbrella.' } },
]
const WRONG = `sha256-${'0'.repeat(64)}`

let upstream: Upstream
let project: VitestProject
let replay: Run
let recording: Run
let replayAfter: Run
let live: string

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('hand-written')
  for (const name of ['openai', 'openai streamed', 'anthropic', 'anthropic streamed'])
    write(`loops with ${name}`, ...loop)
  write('serves every client', hello)
  write(
    'fails in the middle',
    { prompt: { text: 'Hello?' }, response: { error: 'Overloaded.', status: 529 } },
    { prompt: { text: 'Tell me a story' }, response: { text: 'Once upon a', incomplete: true } },
    { prompt: { text: 'Hello?' }, response: { error: 'Too fast.', status: 429 } },
  )
  write('has a wrong hash', { ...hello, prompt: { text: 'Hello?', hash: WRONG } })
  live = write('goes on live', hello)
  replay = await project.run(['-t', '^(?!goes on live)'])
  const only = ['-t', '^goes on live$']
  const keys = { OPENAI_API_KEY: 'sk-hand-4f1d7a90c2', ANTHROPIC_API_KEY: 'sk-ant-hand-4f1d7a90c2' }
  recording = await project.run(only, { RECORD: 'new', UPSTREAM_URL: upstream.url, ...keys })
  await upstream.stop()
  replayAfter = await project.run(only, { UPSTREAM_URL: upstream.url })
})

afterAll(() => upstream.stop())

test('the SDKs of OpenAI and Anthropic take what a person wrote, at once and streamed, calls and their loops', () => {
  for (const name of ['openai', 'openai streamed', 'anthropic', 'anthropic streamed'])
    expect(replay.output).not.toContain(`FAIL  talk.test.ts > loops with ${name}\n`)
  expect(replay.output, replay.output).toContain('1 failed | 6 passed')
})

test('a wrong hash fails the test, with both hashes and both texts', () => {
  expect(replay.exitCode).toBe(1)
  expect(replay.output).toContain('CassetteError: The hash of exchange-1 is not that of the prompt')
  expect(replay.output).toContain(`${WRONG} "Hello?"`)
  expect(replay.output).toMatch(/asked +sha256-(?!0{64})[0-9a-f]{64} "Hello\?"/)
  expect(replay.output).toContain('correct the hash of exchange-1 in __recordings__/talk.test.ts/')
})

test('what is missing is recorded beside it, and the file keeps what was written', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  const { exchanges } = JSON.parse(project.read(live)) as { exchanges: object[] }
  expect(exchanges).toEqual([
    hello,
    expect.objectContaining({ id: 'exchange-2', wire: expect.anything() }),
  ])
  expect(replayAfter.exitCode, replayAfter.output).toBe(0)
})

/** Writes the cassette of a test by hand, and returns its path. */
function write(title: string, ...exchanges: object[]): string {
  const path = `__recordings__/${cassettePath({ file: 'talk.test.ts', titles: [title], ordinal: 0 })}`
  mkdirSync(dirname(join(project.dir, path)), { recursive: true })
  const head = { version: '1.0', conversation_id: title, timestamp: '2026-01-01T00:00:00Z' }
  project.write(path, JSON.stringify({ ...head, exchanges }, null, 4))
  return path
}
