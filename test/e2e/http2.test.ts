import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let recorded: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = new VitestProject('http2', { ENDPOINT: upstream.url })
  recording = await recorded.record()
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('what goes over HTTP/2 is recorded, and replayed without its provider', async () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recorded.files()).toHaveLength(4)
  // To connect is no request.
  expect(recording.output).not.toContain('was sent and not recorded')
  const run = await recorded.run()
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('5 replayed')
})

test('a client that was constructed before the set-up replays too', async () => {
  const run = await copy().run([], { SETUP: 'late' })
  expect(run.exitCode, run.output).toBe(0)
})

test("the provider's own host is answered in memory: nothing looks it up", async () => {
  const project = copy({ ENDPOINT: undefined })
  for (const file of project.files()) {
    const host = file.includes('own') ? 'api.openai.com' : 'bedrock-runtime.us-east-1.amazonaws.com'
    const text = project.read(`__recordings__/${file}`)
    const moved = text.replaceAll(upstream.url, `https://${host}`)
    expect(moved).not.toBe(text)
    project.write(`__recordings__/${file}`, moved)
  }
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
})

test.each([
  ['converses', 'How are you?', "'How do you do?'"],
  ['streams a conversation', 'Count to ten', "'Count to two'"],
])('a changed prompt fails after one request: %s', async (title, from, to) => {
  const project = copy()
  project.edit('bedrock.test.ts', `'${from}'`, to)
  const run = await project.run(['-t', title])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('1 missed')
  expect(run.output).toMatch(/- .*(How are you\?|Count to ten)/)
})

test('verify finds nothing in what was recorded', async () => {
  expect(await recorded.findings()).toEqual([])
})

test('where nothing is recorded, the test fails with the command', async () => {
  const project = new VitestProject('http2')
  const run = await project.run(['-t', 'converses'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('Nothing is recorded for this test')
  expect(run.output).toContain('1 missed')
  expect(run.output).not.toContain('timed out')
})

test('a two-way stream is refused at once, with the reason', async () => {
  const project = copy()
  project.edit(
    'bedrock.test.ts',
    "':path': '/v1/chat/completions'",
    `':path': '/model/nova/invoke-with-bidirectional-stream'`,
  )
  const run = await project.run(['-t', 'of its own'], { ENDPOINT: undefined })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('is answered while it is still being asked')
})

function copy(env: Record<string, string | undefined> = { ENDPOINT: upstream.url }): VitestProject {
  return new VitestProject(recorded.dir, env)
}
