import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding } from '../../../src/tools/verify/verify-cassettes.ts'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

const RECORDING_KEY = 'sk-recording-4f1d7a90c2'
const OTHER = { API_KEY: 'sk-another-11aa22bb33', USER_AGENT: 'two/2.0', REVERSED: '1' }

let upstream: Upstream
let project: VitestProject
let recording: Run
let seen: Record<string, string>
let replay: Run
let changedReplay: Run
let files: Record<string, string>
let findings: Finding[]
let filesAfterReplay: Record<string, string>

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('../lab/scenarios/replay', {
    UPSTREAM_URL: upstream.url,
    ODD_URL: upstream.oddUrl,
    API_KEY: RECORDING_KEY,
  })
  recording = await project.record([], { RESULTS: 'recorded' })
  seen = await upstream.seen()
  await upstream.stop()
  files = project.snapshot()
  findings = await project.findings()
  replay = await project.run([], { RESULTS: 'replayed' })
  filesAfterReplay = project.snapshot()
  for (const file of Object.keys(files)) {
    if (file.startsWith('blobs/')) continue
    const path = `__recordings__/${file}`
    project.write(path, project.read(path).replace(/sha256-\w{64}/g, `sha256-${'0'.repeat(64)}`))
  }
  changedReplay = await project.run([], { RESULTS: 'replayed-otherwise', ...OTHER })
})

afterAll(() => upstream.stop())

test('recording passes, with one cassette for each test', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(Object.keys(files).filter((file) => file.endsWith('.json'))).toHaveLength(15)
})

test('verify finds nothing in what was recorded', () => {
  expect(findings).toEqual([])
})

test('replay needs no provider and touches no file', () => {
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toContain('26 replayed')
  expect(filesAfterReplay).toEqual(files)
})

const results = [
  'chat',
  'chat-stream',
  'tool-calls',
  'tool-call-streamed',
  'image',
  'reasoning',
  'structured-output',
  'responses-stream',
  'embeddings',
  'message',
  'message-stream',
  'tool-use',
  'claude-image',
  'tokens',
]

test.each(results)('the application gets the same when replayed: %s', (name) => {
  const recorded = project.json(`recorded/${name}.json`) as object
  expect(Object.keys(recorded)).not.toHaveLength(0)
  expect(project.json(`replayed/${name}.json`)).toEqual(recorded)
})

test('no result goes uncompared', () => {
  expect(project.files('recorded')).toEqual(
    [...results, 'attempts'].map((name) => `${name}.json`).sort(),
  )
})

test('another order of keys, other headers, another key and a wrong stored hash all match', () => {
  expect(changedReplay.exitCode, changedReplay.output).toBe(0)
  for (const name of results)
    expect(project.read(`replayed-otherwise/${name}.json`)).toBe(
      project.read(`recorded/${name}.json`),
    )
})

test('what a caller does to an answer does not change the next replay of it', () => {
  expect(replay.exitCode).toBe(0)
  expect(project.json('replayed/attempts.json')).toBe(2)
})

test('the provider gets the key, and no file has it', () => {
  expect(JSON.stringify(seen)).toContain(RECORDING_KEY)
  for (const file of Object.keys(files)) {
    expect(project.read(`__recordings__/${file}`)).not.toContain(RECORDING_KEY)
  }
})

test('events of a stream that go on alike stand on one line of the cassette, with what each adds', () => {
  const text = project.read(project.cassette('chat-stream'))
  const lines = text.split('\n').filter((line) => line.includes('"delta":{"content":{"$each":['))
  expect(lines).toHaveLength(1)
  const [{ delta }] = JSON.parse(lines[0]!.trim().replace(/,$/, '')).choices
  expect(delta.content.$each.length).toBeGreaterThan(1)
  expect(project.exchanges('chat-stream')[0]!.response.text).toBe('You said: Tell me a long story')
})

test('streams with event names keep them', () => {
  for (const name of ['message-stream', 'responses-stream'])
    expect(project.exchanges(name)[0]!.response.sent).toMatchObject({ named: true })
  const text = project.read(project.cassette('responses-stream'))
  expect(text).toMatch(/^ *\{"type":"response.completed",/m)
})

test('a tool call reads as one story: call, parameters and what was sent back', () => {
  for (const slug of ['tool-calls', 'tool-use']) {
    const [first, second] = project.exchanges(slug)
    expect(first!.response.tool_calls).toEqual([
      {
        tool_name: 'look_up',
        parameters: { order: 7 },
        result: slug === 'tool-use' ? 'In Bern.' : 'It is in Bern.',
      },
    ])
    expect(second!.prompt.text).toContain('Bern.')
    expect(second!.response.text).toContain('Bern')
  }
})

test('an image sent three times is one file that opens as the image', () => {
  const blobs = Object.keys(files).filter((file) => file.startsWith('blobs/'))
  expect(blobs).toEqual([expect.stringMatching(/^blobs\/[0-9a-f]{64}\.png$/)])
  expect(files[blobs[0]!]).toMatch(/^89504e470d0a1a0a/)
  for (const slug of ['an-image', 'the-image']) {
    expect(project.read(project.cassette(slug))).toContain(blobs[0]!.slice('blobs/'.length))
  }
})

test('reasoning stands apart from the answer', () => {
  for (const { response } of [
    ...project.exchanges('reasoning'),
    ...project.exchanges('message-stream'),
  ]) {
    expect(response).toMatchObject({
      text: 'I have thought.',
      reasoning: 'The question is about thinking.',
    })
  }
})

test('structured output reads as the JSON it is, and its schema is part of the prompt', () => {
  for (const { response } of project.exchanges('structured-output')) {
    expect(JSON.parse(response.text)).toEqual({ city: 'Bern', degrees: 7 })
  }
  expect(project.read(project.cassette('structured-output')).match(/"json_schema"/g)).toHaveLength(
    3,
  )
})

test('cached and reasoning tokens are part of the usage', () => {
  const openai = {
    input_tokens: 100,
    output_tokens: 30,
    cache_read_input_tokens: 60,
    reasoning_output_tokens: 20,
  }
  const [chat, plain, streamed, claude, claudeStreamed] = project
    .exchanges('cached-and-reasoning')
    .map(({ response }) => response.usage)
  expect([chat, plain, streamed]).toEqual([openai, openai, openai])
  for (const usage of [claude, claudeStreamed]) {
    expect(usage).toMatchObject({
      output_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 5,
    })
  }
})
